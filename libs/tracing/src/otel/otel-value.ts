import { RawJson } from '@heddle/json';

/** An attribute's value. Integers are bigint where a number would lose digits; bytes are base64 text. */
export type OtelValue = string | number | bigint | boolean | null | RawJson | OtelValue[] | OtelMap;
export type OtelMap = Map<string, OtelValue>;

export function toJson(value: OtelValue): string {
  if (value instanceof Map) {
    let text = '{';
    for (const [key, member] of value) text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${toJson(member)}`;
    return `${text}}`;
  }
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (value instanceof RawJson) return value.text.toString();
  if (typeof value === 'bigint') return value.toString();
  // JSON has no NaN and no infinities; OTLP's own JSON form writes them as these strings.
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  return JSON.stringify(value);
}
