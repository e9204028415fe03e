export interface ParsedToolCall {
  name: string;
  /** JSON text of an object, as the model wrote it. */
  arguments: string;
}

/**
 * Reads one call, a JSON object with a name and with its arguments under one of `keys`; null for what is none.
 * @param needsArguments whether a name alone is no call
 */
export function readToolCall(
  body: string,
  keys: readonly string[] = ['arguments'],
  needsArguments = false,
): ParsedToolCall | null {
  const value = objectOf(body);
  if (!value || typeof value.name !== 'string' || value.name === '') return null;
  const key = keys.find((one) => value[one] !== undefined && value[one] !== null);
  if (key === undefined && needsArguments) return null;
  const given = key === undefined ? {} : value[key];
  if (typeof given === 'string') return objectOf(given) && { name: value.name, arguments: given };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  return { name: value.name, arguments: writtenArguments(body) ?? JSON.stringify(given) };
}

/**
 * The arguments as they are written, where they are the last of two fields: reading and writing them would round large
 * numbers.
 */
function writtenArguments(body: string): string | null {
  const written =
    /^\s*\{\s*"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(?:arguments|parameters)"\s*:\s*(\{.*\})\s*\}\s*$/s.exec(body)?.[1];
  return written !== undefined && objectOf(written) ? written : null;
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
