import { isUtf8 } from 'node:buffer';
import { ValidationError } from '@heddle/http';
import { indexJson, JsonError, type JsonNode, WorkTurns } from '@heddle/json';
import { BodyProblems } from './body-problems.js';
import { nonFiniteError } from './non-finite.js';
import type { TrajectoryBody } from './trajectory-body.js';
import { TrajectoryStatistics } from './trajectory-statistics.js';
import { present } from './trajectory-nodes.js';
import { TrajectoryReader } from './trajectory.reader.js';

/** `{trajectory_groups: [{trajectories: [{messages_and_choices: [{role}]}]}]}` is 7: what is inside a message stays text. */
const INDEXED_DEPTH = 7;
/** 144 MB of index: six values of every 256 bytes of a 256 MiB body. A hostile one is not to fill the heap. */
const MAX_VALUES = 6_000_000;
const MAX_METRIC_NAMES = 1000;

/**
 * Checks all of a body that the engine relies on, in slices, so that other requests are served meanwhile. Unknown keys are
 * nobody's mistake, null is an absent field, and clients leave out whatever has its default.
 * @throws ValidationError that names each place: `["body", "trajectory_groups", "0", "trajectories", "2", "reward"]`
 */
export async function readTrajectoryBody(bytes: Buffer): Promise<TrajectoryBody> {
  try {
    return await read(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw ValidationError.at(['body'], error.message, 'json_invalid');
  }
}

async function read(bytes: Buffer): Promise<TrajectoryBody> {
  const root = await parse(bytes);
  const problems = new BodyProblems();
  const statistics = new TrajectoryStatistics();
  const groups = groupsOf(root, problems);
  const reader = new GroupReader(problems, statistics);
  for (const [index, group] of groups.entries()) await reader.read(group, index);
  problems.throwIfAny();
  return { root, groups, statistics };
}

async function parse(bytes: Buffer): Promise<JsonNode> {
  const root = await indexJson(bytes, { depth: INDEXED_DEPTH, maxNodes: MAX_VALUES });
  if (root.index.bytes === bytes) return root;
  // It was repaired: what is logged of other things is, but nobody trains on what was not sent.
  if (!isUtf8(bytes)) throw ValidationError.at(['body'], 'The body is not valid UTF-8', 'json_invalid');
  throw await nonFiniteError(bytes, root, INDEXED_DEPTH);
}

function groupsOf(root: JsonNode, problems: BodyProblems): JsonNode[] {
  const loc = ['trajectory_groups'];
  const list = root.get('trajectory_groups');
  if (root.kind !== 'object') problems.add([], 'must be an object', 'object_type');
  else if (!list) problems.add(loc, 'is required', 'missing');
  else if (list.kind !== 'array') problems.add(loc, 'must be an array', 'array_type');
  return list ? [...list.items()] : [];
}

class GroupReader {
  private readonly turns = new WorkTurns();
  private readonly trajectories: TrajectoryReader;

  constructor(
    private readonly problems: BodyProblems,
    private readonly statistics: TrajectoryStatistics,
  ) {
    this.trajectories = new TrajectoryReader(problems);
  }

  async read(group: JsonNode, index: number): Promise<void> {
    const loc = ['trajectory_groups', index];
    if (group.kind !== 'object') return this.problems.add(loc, 'must be an object', 'object_type');
    const list = present(group.get('trajectories'));
    if (list && list.kind !== 'array') {
      return this.problems.add([...loc, 'trajectories'], 'must be an array', 'array_type');
    }
    const rewards: number[] = [];
    for (const trajectory of list?.items() ?? []) {
      const place = [...loc, 'trajectories', rewards.length];
      const { reward, metrics } = await this.trajectories.read(trajectory, place);
      rewards.push(reward);
      for (const [name, value] of metrics) this.addMetric(name, value, [...place, 'metrics', name]);
      if (this.turns.isOver()) await this.turns.next();
    }
    this.statistics.addGroup(rewards, this.exceptionsOf(group, loc));
    if (this.turns.isOver()) await this.turns.next();
  }

  private exceptionsOf(group: JsonNode, loc: (string | number)[]): number {
    const exceptions = present(group.get('exceptions'));
    if (!exceptions) return 0;
    if (exceptions.kind === 'array') return [...exceptions.items()].length;
    this.problems.add([...loc, 'exceptions'], 'must be an array', 'array_type');
    return 0;
  }

  private addMetric(name: string, value: number, loc: (string | number)[]): void {
    this.statistics.addMetric(name, value);
    if (this.statistics.metricNames <= MAX_METRIC_NAMES) return;
    this.problems.add(loc, `There are more than ${MAX_METRIC_NAMES} names of metrics`, 'too_many_metrics');
    this.problems.throwIfAny();
  }
}
