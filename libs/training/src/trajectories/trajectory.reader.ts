import type { JsonNode } from '@heddle/json';
import type { BodyPlace, BodyProblems } from './body-problems.js';
import { ExchangesReader } from './exchanges/exchanges.reader.js';
import { indexed, isChoice, isMessage, present } from './trajectory-nodes.js';

/** What a trajectory counts for in the statistics. */
export interface TrajectoryFacts {
  reward: number;
  metrics: [name: string, value: number][];
}

/** Room for a split's name before it in the run's history, which takes 256 characters. */
const MAX_METRIC_NAME_LENGTH = 128;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** `[{messages_and_choices: [{role}]}]`. */
const HISTORIES_DEPTH = 4;

/** Checks what the engine needs of a trajectory. */
export class TrajectoryReader {
  private readonly exchanges: ExchangesReader;

  constructor(private readonly problems: BodyProblems) {
    this.exchanges = new ExchangesReader(problems);
  }

  async read(node: JsonNode, loc: BodyPlace): Promise<TrajectoryFacts> {
    if (node.kind !== 'object') {
      this.problems.add(loc, 'must be an object', 'object_type');
      return { reward: 0, metrics: [] };
    }
    this.checkHistory(node, loc);
    const histories = present(node.get('additional_histories'));
    if (histories) await this.checkHistories(histories, [...loc, 'additional_histories']);
    const exchanges = present(node.get('exchanges'));
    if (exchanges && (await this.exchanges.read(exchanges, [...loc, 'exchanges']))) this.refuseBoth(node, loc);
    return { reward: this.reward(node, [...loc, 'reward']), metrics: this.metrics(node, [...loc, 'metrics']) };
  }

  private async checkHistories(node: JsonNode, loc: BodyPlace): Promise<void> {
    if (node.kind !== 'array') return this.problems.add(loc, 'must be an array', 'array_type');
    const list = await indexed(node, HISTORIES_DEPTH);
    let index = 0;
    for (const history of list.items()) {
      const place = [...loc, index++];
      if (history.kind === 'object') this.checkHistory(history, place);
      else this.problems.add(place, 'must be an object', 'object_type');
    }
  }

  private checkHistory(node: JsonNode, loc: BodyPlace): void {
    const tools = present(node.get('tools'));
    if (tools && tools.kind !== 'array') this.problems.add([...loc, 'tools'], 'must be an array', 'array_type');
    const place = [...loc, 'messages_and_choices'];
    const list = present(node.get('messages_and_choices'));
    if (!list) return;
    if (list.kind !== 'array') return this.problems.add(place, 'must be an array', 'array_type');
    let index = 0;
    for (const element of list.items()) {
      if (!isMessage(element) && !isChoice(element)) {
        this.problems.add(
          [...place, index],
          'must be a message, which has a role, or a choice, which has an index and a message',
          'message_or_choice',
        );
      }
      index++;
    }
  }

  /** Which of the two is to be believed? */
  private refuseBoth(node: JsonNode, loc: BodyPlace): void {
    const written = ['messages_and_choices', 'additional_histories'].some(
      (name) => node.get(name)?.items().next().value,
    );
    if (!written && !present(node.get('tools'))) return;
    const msg = 'A trajectory has either exchanges or messages_and_choices, tools and additional_histories, not both';
    this.problems.add([...loc, 'exchanges'], msg, 'two_histories');
  }

  private reward(node: JsonNode, loc: BodyPlace): number {
    const reward = present(node.get('reward'));
    return reward ? (this.finite(reward, loc) ?? 0) : 0;
  }

  private metrics(node: JsonNode, loc: BodyPlace): [string, number][] {
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

  private finite(node: JsonNode, loc: BodyPlace): number | undefined {
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

  private isName(name: string, loc: BodyPlace): boolean {
    if (name.length > 0 && name.length <= MAX_METRIC_NAME_LENGTH && !UNPRINTABLE.test(name)) return true;
    const msg = `A metric's name has 1 to ${MAX_METRIC_NAME_LENGTH} printable characters`;
    this.problems.add([...loc.slice(0, -1), name.slice(0, MAX_METRIC_NAME_LENGTH)], msg, 'metric_name');
    return false;
  }
}
