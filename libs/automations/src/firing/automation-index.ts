import type { Gate } from '../matching/conditions.js';
import type { EventFacts } from '../matching/event-facts.js';
import type { WatchingAutomation } from './watching-automation.js';

/** Longer texts are looked up by their beginning, so that an event's facts are cut into few pieces. */
const LONGEST_KEY = 6;

/**
 * Automations by a text that must stand in a fact. Of 10,000 with a pattern each, an event looks at the few whose text it
 * has, and at those whose pattern requires none.
 */
export class AutomationIndex {
  private readonly others: WatchingAutomation[] = [];
  private readonly byFact = new Map<Gate['fact'], Map<string, WatchingAutomation[]>>();

  constructor(automations: Iterable<WatchingAutomation>) {
    for (const automation of automations) {
      const gate = narrowestGate(automation);
      if (gate) this.bucket(gate).push(automation);
      else this.others.push(automation);
    }
  }

  /** All that the facts could match, and a few more. */
  candidates(facts: EventFacts): WatchingAutomation[] {
    const found = [...this.others];
    for (const [fact, buckets] of this.byFact) {
      for (const key of pieces(facts[fact] ?? '')) {
        for (const automation of buckets.get(key) ?? []) found.push(automation);
      }
    }
    return found;
  }

  private bucket({ fact, text }: Gate): WatchingAutomation[] {
    const buckets = this.byFact.get(fact) ?? new Map<string, WatchingAutomation[]>();
    this.byFact.set(fact, buckets);
    const key = text.slice(0, LONGEST_KEY);
    const bucket = buckets.get(key) ?? [];
    buckets.set(key, bucket);
    return bucket;
  }
}

function narrowestGate({ conditions }: WatchingAutomation): Gate | undefined {
  const gates = conditions.flatMap(({ gate }) => gate ?? []);
  return gates.sort((a, b) => b.text.length - a.text.length)[0];
}

/** Every part of a text that could be a key, each once. */
function pieces(text: string): Set<string> {
  const found = new Set<string>();
  for (let start = 0; start < text.length; start++) {
    for (let length = 1; length <= LONGEST_KEY && start + length <= text.length; length++) {
      found.add(text.slice(start, start + length));
    }
  }
  return found;
}
