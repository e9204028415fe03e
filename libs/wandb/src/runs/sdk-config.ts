import type { Run } from '@heddle/database';
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

/**
 * Of a run that several programs may be writing to: what any of them has set stays, and of what more than one has set, the
 * last word. No program takes back a key of a run that runs.
 */
export function keepOthersConfig(
  details: RunDetails,
  known: { config: string; clientConfig: string | null },
): RunDetails {
  if (!details.config || !details.clientConfig) return details;
  const config = { ...(parseExact(known.config) as Record<string, unknown>), ...details.config };
  const before = known.clientConfig === null ? {} : readObject(known.clientConfig, 'config');
  const sent = readObject(details.clientConfig, 'config');
  const [ownBefore, ownSent] = [ownPartOf(before), ownPartOf(sent)];
  const isWhole =
    isWithin(before, sent) && isWithin(ownBefore, ownSent) && isWithin(sessionsOf(ownBefore), sessionsOf(ownSent));
  // Byte for byte, as long as there is nobody else.
  if (isWhole) return { ...details, config };
  const sessions = { ...sessionsOf(ownBefore), ...sessionsOf(ownSent) };
  const own = { ...ownBefore, ...ownSent, ...(Object.keys(sessions).length > 0 && { e: sessions }) };
  return { ...details, config, clientConfig: writeExact({ ...before, ...sent, [OWN]: { value: own } }) };
}

const isWithin = (part: object, whole: object): boolean => Object.keys(part).every((key) => key in whole);

function ownPartOf(config: Record<string, unknown>): Record<string, unknown> {
  const own = config[OWN];
  return isObject(own) && isObject(own['value']) ? own['value'] : {};
}

/** What each session told of its machine, by the session. */
const sessionsOf = ({ e }: Record<string, unknown>): Record<string, unknown> => (isObject(e) ? e : {});

/** As the client wrote it, or made of what somebody else did. */
export function sdkConfigOf({ config, clientConfig }: { config: string; clientConfig: string | null }): string {
  if (clientConfig !== null) return clientConfig;
  const entries = Object.entries(parseExact(config) as Record<string, unknown>);
  return writeExact(Object.fromEntries(entries.map(([key, value]) => [key, { value }])));
}

/** Where a run parts from another's history. */
export interface BranchPoint {
  /** Name or id. */
  run: string;
  /** The last that both have. */
  step: number;
}

/** @returns null for a run that begins by itself. @throws ValidationError for a point that is none */
export function branchPointOf(config: string | null | undefined): BranchPoint | null {
  const point = typeof config === 'string' ? ownPartOf(readObject(config, 'config'))['branch_point'] : undefined;
  if (point === undefined || point === null) return null;
  const { run_id: run, step } = isObject(point) ? point : {};
  // Exact numbers are read as text where a double could not hold them.
  const last = Math.floor(Number(step));
  if (typeof run === 'string' && Number.isSafeInteger(last) && last >= 0) return { run, step: last };
  throw ValidationError.at(['variables', 'config'], 'fork_from must name a run and a step of it', 'branch_point');
}

/** A client sends the whole summary; of a run that parted from another, it knows nothing of what that had come to. */
export function mergeSummaries({ clientConfig, summary }: Pick<Run, 'clientConfig' | 'summary'>, sent: string): string {
  if (branchPointOf(clientConfig) === null) return sent;
  const known = readLenient(summary, parseExact) as Record<string, unknown>;
  return writeExact({ ...known, ...readObject(sent, 'summaryMetrics') });
}

/** Of the client's own part, the values of these keys. */
export function ownConfigOf(clientConfig: string | null, keys: readonly string[]): string {
  const values = clientConfig === null ? {} : ownPartOf(readObject(clientConfig, 'config'));
  return JSON.stringify(Object.fromEntries(keys.filter((key) => key in values).map((key) => [key, values[key]])));
}

/** @returns the text, if it is a JSON object */
export function checkSummary(text: string): string {
  readObject(text, 'summaryMetrics');
  return text;
}
