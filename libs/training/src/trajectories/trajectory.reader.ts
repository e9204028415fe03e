import { indexJson, type JsonNode } from '@heddle/json';
import type { BodyProblems } from './body-problems.js';

type Place = readonly (string | number)[];

/** What a trajectory counts for in the statistics. */
export interface TrajectoryFacts {
  reward: number;
  metrics: [name: string, value: number][];
}

/** Room for a split's name before it in the run's history, which takes 256 characters. */
const MAX_METRIC_NAME_LENGTH = 128;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** Larger values that are not indexed yet are indexed in slices, as the body was. */
const MAX_AT_ONCE = 256 * 1024;
/** `[{messages_and_choices: [{role}]}]`. */
const HISTORIES_DEPTH = 4;

/** Checks what the engine needs of a trajectory. */
export class TrajectoryReader {
  constructor(private readonly problems: BodyProblems) {}

  async read(node: JsonNode, loc: Place): Promise<TrajectoryFacts> {
    if (node.kind !== 'object') {
      this.problems.add(loc, 'must be an object', 'object_type');
      return { reward: 0, metrics: [] };
    }
    this.checkHistory(node, loc);
    const histories = present(node.get('additional_histories'));
    if (histories) await this.checkHistories(histories, [...loc, 'additional_histories']);
    return { reward: this.reward(node, [...loc, 'reward']), metrics: this.metrics(node, [...loc, 'metrics']) };
  }

  private async checkHistories(node: JsonNode, loc: Place): Promise<void> {
    if (node.kind !== 'array') return this.problems.add(loc, 'must be an array', 'array_type');
    const list = node.byteLength > MAX_AT_ONCE ? await indexJson(node.raw(), { depth: HISTORIES_DEPTH }) : node;
    let index = 0;
    for (const history of list.items()) {
      const place = [...loc, index++];
      if (history.kind === 'object') this.checkHistory(history, place);
      else this.problems.add(place, 'must be an object', 'object_type');
    }
  }

  private checkHistory(node: JsonNode, loc: Place): void {
    const tools = present(node.get('tools'));
    if (tools && tools.kind !== 'array') this.problems.add([...loc, 'tools'], 'must be an array', 'array_type');
    const place = [...loc, 'messages_and_choices'];
    const list = node.get('messages_and_choices');
    if (!list) return this.problems.add(place, 'is required', 'missing');
    if (list.kind !== 'array') return this.problems.add(place, 'must be an array', 'array_type');
    let index = 0;
    for (const element of list.items()) {
      if (!isMessageOrChoice(element)) {
        this.problems.add(
          [...place, index],
          'must be a message, which has a role, or a choice, which has an index and a message',
          'message_or_choice',
        );
      }
      index++;
    }
  }

  private reward(node: JsonNode, loc: Place): number {
    const reward = present(node.get('reward'));
    return reward ? (this.finite(reward, loc) ?? 0) : 0;
  }

  private metrics(node: JsonNode, loc: Place): [string, number][] {
    const metrics = present(node.get('metrics'));
    if (!metrics) return [];
    if (metrics.kind !== 'object') {
      this.problems.add(loc, 'must be an object', 'object_type');
      return [];
    }
    return [...metrics.entries()].flatMap(([name, value]) => {
      if (value.kind === 'null') return [];
      const number = value.kind === 'boolean' ? Number(value.boolean()) : this.finite(value, [...loc, name]);
      return number !== undefined && this.isName(name, [...loc, name]) ? [[name, number]] : [];
    });
  }

  private finite(node: JsonNode, loc: Place): number | undefined {
    const number = node.number();
    if (number === undefined) {
      this.problems.add(loc, 'must be a number', 'number_type');
      return undefined;
    }
    // 1e999 is one to JSON.
    if (Number.isFinite(number)) return number;
    this.problems.add(loc, 'must be a finite number', 'finite_number', node.text().slice(0, 40));
    return undefined;
  }

  private isName(name: string, loc: Place): boolean {
    if (name.length > 0 && name.length <= MAX_METRIC_NAME_LENGTH && !UNPRINTABLE.test(name)) return true;
    const msg = `A metric's name has 1 to ${MAX_METRIC_NAME_LENGTH} printable characters`;
    this.problems.add([...loc.slice(0, -1), name.slice(0, MAX_METRIC_NAME_LENGTH)], msg, 'metric_name');
    return false;
  }
}

const present = (node: JsonNode | undefined): JsonNode | undefined => (node?.kind === 'null' ? undefined : node);

/** A choice has both an index and a message. What else is in it, the engine judges choice by choice. */
function isMessageOrChoice(node: JsonNode): boolean {
  const message = node.get('message');
  if (message && node.get('index')) return message.kind === 'object';
  return node.get('role')?.kind === 'string';
}
