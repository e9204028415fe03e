import { ValidationError } from '@heddle/http';
import { parseExact, writeExact } from '@heddle/json';
import { readLenient, type RunDetails } from '@heddle/runs';

/** The part of a configuration that is the client's own: its version, what it measured of itself, how metrics are defined. */
const OWN = '_wandb';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(text: string, field: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = readLenient(text, parseExact);
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  throw ValidationError.at(['variables', field], 'must be a JSON object', 'json_object');
}

/** Clients write `{key: {"value": v}}` and a part of their own; the plain `{key: v}` is what everybody else reads. */
export function readSdkConfig(text: string): Pick<RunDetails, 'config' | 'clientConfig'> {
  const entries = Object.entries(readObject(text, 'config')).filter(([key]) => key !== OWN);
  const plain = entries.map(([key, entry]) => [key, isObject(entry) && 'value' in entry ? entry['value'] : entry]);
  return { config: Object.fromEntries(plain) as Record<string, unknown>, clientConfig: text };
}

/** A client sends its whole configuration. What it never set stays: Heddle's own runs have keys before a client comes. */
export function keepForeignConfig(
  details: RunDetails,
  known: { config: string; clientConfig: string | null },
): RunDetails {
  if (!details.config) return details;
  const own = known.clientConfig === null ? {} : readSdkConfig(known.clientConfig).config!;
  const before = Object.entries(parseExact(known.config) as Record<string, unknown>);
  const foreign = Object.fromEntries(before.filter(([key]) => !(key in own)));
  return { ...details, config: { ...foreign, ...details.config } };
}

/** As the client wrote it, or made of what somebody else did. */
export function sdkConfigOf({ config, clientConfig }: { config: string; clientConfig: string | null }): string {
  if (clientConfig !== null) return clientConfig;
  const entries = Object.entries(parseExact(config) as Record<string, unknown>);
  return writeExact(Object.fromEntries(entries.map(([key, value]) => [key, { value }])));
}

/** Of the client's own part, the values of these keys. */
export function ownConfigOf(clientConfig: string | null, keys: readonly string[]): string {
  const own = clientConfig === null ? undefined : readObject(clientConfig, 'config')[OWN];
  const values = isObject(own) && isObject(own['value']) ? own['value'] : {};
  return JSON.stringify(Object.fromEntries(keys.filter((key) => key in values).map((key) => [key, values[key]])));
}

/** @returns the text, if it is a JSON object */
export function checkSummary(text: string): string {
  readObject(text, 'summaryMetrics');
  return text;
}
