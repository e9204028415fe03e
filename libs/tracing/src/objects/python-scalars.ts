const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A string as json.dumps writes it: everything but printable ASCII escaped, UTF-16 unit by unit. */
export function pythonString(value: string): string {
  const escaped = value.replace(
    /["\\]|[^ -~]/g,
    (unit) => SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** A JSON number as json.dumps writes it after json.loads: integers keep every digit, the rest become doubles. */
export function pythonNumber(text: string): string {
  if (!/[.eE]/.test(text)) return text === '-0' ? '0' : text;
  const value = Number(text);
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  // The shortest digits are the same in both languages; where the exponent form begins is not.
  const [mantissa, power] = value.toExponential().split('e') as [string, string];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const fixed = exponent < 0 ? value.toFixed(decimalsOf(mantissa) - exponent) : String(value);
  return fixed.includes('.') ? fixed : `${fixed}.0`;
}

const decimalsOf = (mantissa: string): number => mantissa.split('.')[1]?.length ?? 0;

/** Python sorts strings by code points, JavaScript by UTF-16 units; they differ from U+D800 on. */
export function inCodePointOrder(a: string, b: string): number {
  if (!/[\ud800-\uffff]/.test(a) || !/[\ud800-\uffff]/.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [Array.from(a, codePoint), Array.from(b, codePoint)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  }
  return left.length - right.length;
}

const codePoint = (character: string): number => character.codePointAt(0)!;
