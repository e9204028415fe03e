import { indexBody, unknownField, type ValidationDetail, ValidationError } from '@heddle/http';
import { fromJsonDouble, type JsonNode, nextTurn } from '@heddle/json';
import { LogHistory, MAX_POINTS } from './history.schema.js';
import { MAX_VALUES, VALUES_PER_TURN } from './metric-columns.js';
import type { MetricPoint } from './metric-point.js';

/** `{points: [{metrics: {loss: 1}}]}`: a value is four levels below the body. */
const DEPTH = 4;
/** Points with their fields, and values; a body may hold some more of what is then refused by name. */
const MAX_NODES = 5 * MAX_POINTS + MAX_VALUES + 50_000;
const MAX_PROBLEMS = 50;

const FIELDS = Object.keys(LogHistory.properties.points.items.properties);

/**
 * The points of a request's body, which is read in slices: 16 MiB of it hold nobody up.
 * @throws ValidationError that names each place
 */
export async function readPoints(body: Buffer): Promise<MetricPoint[]> {
  const root = await indexBody(body, { depth: DEPTH, maxNodes: MAX_NODES, nonFinite: 'number' });
  const reader = new PointReader();
  const list = root.get('points');
  for (const name of root.keys()) if (name !== 'points') reader.problems.push(unknownField(['body'], name, ['points']));
  if (list?.kind === 'array') await reader.readAll(list);
  else if (list) reader.refuse([], 'must be a list', 'array_type');
  else reader.refuse([], 'points is required', 'missing');
  if (reader.problems.length > 0) throw new ValidationError(reader.problems);
  return reader.points;
}

class PointReader {
  readonly points: MetricPoint[] = [];
  readonly problems: ValidationDetail[] = [];
  private sinceTurn = 0;

  refuse(loc: (string | number)[], msg: string, type: string): undefined {
    this.problems.push({ loc: ['body', 'points', ...loc.map(String)], msg, type });
  }

  async readAll(list: JsonNode): Promise<void> {
    let index = 0;
    for (const item of list.items()) {
      if (this.problems.length > MAX_PROBLEMS) return;
      if (index === MAX_POINTS) return this.refuse([], `at most ${MAX_POINTS} points`, 'too_long');
      if (item.kind === 'object') this.points.push(await this.point(item, index));
      else this.refuse([index], 'must be an object', 'object_type');
      index++;
    }
  }

  private async point(item: JsonNode, index: number): Promise<MetricPoint> {
    const fields = item.entries();
    for (const name of fields.keys())
      if (!FIELDS.includes(name)) this.problems.push(unknownField(['body', 'points', String(index)], name, FIELDS));
    const metrics = await this.metrics(fields.get('metrics'), index);
    return {
      step: this.step(fields.get('step'), index),
      timestamp: this.time(fields.get('timestamp'), index),
      metrics,
    };
  }

  private step(node: JsonNode | undefined, index: number): number | null | undefined {
    if (!node || node.kind === 'null') return node && null;
    const step = node.number();
    if (step !== undefined && Number.isSafeInteger(step) && step >= 0) return step;
    return this.refuse([index, 'step'], 'must be a whole number from 0 to 9007199254740991', 'step');
  }

  private time(node: JsonNode | undefined, index: number): Date | null {
    if (!node || node.kind === 'null') return null;
    const text = node.string() ?? '';
    const date = new Date(text);
    // Years before 1 can't be stored, and no run is that old.
    if (ISO_TIME.test(text) && date.getTime() >= 0) return date;
    return (
      this.refuse([index, 'timestamp'], 'must be an ISO 8601 time since 1970, with its offset', 'date_time') ?? null
    );
  }

  private async metrics(node: JsonNode | undefined, index: number): Promise<Record<string, number>> {
    const loc = [index, 'metrics'];
    if (!node) return this.refuse(loc, 'metrics is required', 'missing') ?? {};
    if (node.kind !== 'object') return this.refuse(loc, 'must be an object', 'object_type') ?? {};
    // Without a prototype: names such as __proto__ are names.
    const metrics = Object.create(null) as Record<string, number>;
    for (const [name, value] of node.entries()) {
      const number = value.number() ?? fromJsonDouble(value.string());
      if (number === undefined) this.refuse([...loc, name], MUST_BE_A_NUMBER, 'number_type');
      else if (isTooGreat(number, value)) this.refuse([...loc, name], 'is too great for a double', 'finite_number');
      else metrics[name] = number;
      if (++this.sinceTurn % VALUES_PER_TURN === 0) await nextTurn();
    }
    return metrics;
  }
}

const MUST_BE_A_NUMBER = "must be a number, or 'NaN', 'Infinity' or '-Infinity'";

/** 1e999: its writer knew a number. */
const isTooGreat = (number: number, node: JsonNode): boolean => Math.abs(number) === Infinity && /\d/.test(node.text());

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
