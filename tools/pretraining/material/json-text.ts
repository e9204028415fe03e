/** JSON with a space after commas and colons, as models and Python write it. */
export function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
