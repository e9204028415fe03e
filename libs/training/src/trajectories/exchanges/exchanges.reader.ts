import { type JsonNode, WorkTurns } from '@heddle/json';
import type { BodyPlace, BodyProblems } from '../body-problems.js';
import { indexed, isChoice, isMessage, present } from '../trajectory-nodes.js';

const PROTOCOLS = ['chat_completions', 'completions', 'responses', 'messages'];
/** `{chat_completions: [{request: {messages: [{role}]}}]}`. */
const DEPTH = 6;

/** Checks what is needed of recorded requests and responses to rebuild histories from them. */
export class ExchangesReader {
  private readonly turns = new WorkTurns();

  constructor(private readonly problems: BodyProblems) {}

  /** @returns whether there is an exchange at all */
  async read(node: JsonNode, loc: BodyPlace): Promise<boolean> {
    if (node.kind !== 'object') {
      this.problems.add(loc, 'must be an object', 'object_type');
      return false;
    }
    const exchanges = await indexed(node, DEPTH);
    let count = 0;
    for (const protocol of PROTOCOLS) {
      for (const [exchange, place] of this.list(exchanges, protocol, loc)) {
        count++;
        this.check(protocol, exchange, place);
        if (this.turns.isOver()) await this.turns.next();
      }
    }
    return count > 0;
  }

  private check(protocol: string, exchange: JsonNode, loc: BodyPlace): void {
    const request = this.object(exchange, 'request', loc);
    const response = this.object(exchange, 'response', loc);
    if (protocol === 'chat_completions') {
      for (const [message, place] of this.list(request, 'messages', [...loc, 'request'])) {
        if (!isMessage(message)) this.problems.add(place, 'must be a message, which has a role', 'message_type');
      }
      for (const name of ['tools', 'functions']) this.list(request, name, [...loc, 'request']);
      const variables = present(request?.get('chat_template_kwargs'));
      if (variables && variables.kind !== 'object') {
        this.problems.add([...loc, 'request', 'chat_template_kwargs'], 'must be an object', 'object_type');
      }
    }
    if (protocol !== 'chat_completions' && protocol !== 'completions') return;
    for (const [choice, place] of this.list(response, 'choices', [...loc, 'response'])) {
      const [isGood, what] =
        protocol === 'completions' ? [choice.get('index'), 'an index'] : [isChoice(choice), 'an index and a message'];
      if (!isGood) this.problems.add(place, `must be a choice, which has ${what}`, 'choice_type');
    }
  }

  private object(node: JsonNode, name: string, loc: BodyPlace): JsonNode | undefined {
    const found = node.get(name);
    if (found?.kind === 'object') return found;
    this.problems.add([...loc, name], 'must be an object', 'object_type');
    return undefined;
  }

  /** The elements with their places; none where it is absent. */
  private list(node: JsonNode | undefined, name: string, loc: BodyPlace): [JsonNode, BodyPlace][] {
    const list = present(node?.get(name));
    if (!list) return [];
    if (list.kind === 'array') return Array.from(list.items(), (item, index) => [item, [...loc, name, index]]);
    this.problems.add([...loc, name], 'must be an array', 'array_type');
    return [];
  }
}
