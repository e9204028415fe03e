import fc from 'fast-check';
import type { EventFacts } from '../matching/event-facts.js';
import { AutomationIndex } from './automation-index.js';
import { matches, toWatching, type WatchingAutomation } from './watching-automation.js';

let counter = 0;

function automation(filter: Record<string, unknown>): WatchingAutomation {
  const id = String(++counter);
  const row = { id, event_type: 'ADD_ARTIFACT_ALIAS', action_team_id: 't', webhook_id: 'w' } as const;
  return toWatching({ ...row, filter: JSON.stringify(filter) });
}

describe('AutomationIndex', () => {
  it('looks at few of many', () => {
    const many = Array.from({ length: 1000 }, (_, i) => automation({ alias_regex: `^(stable|rc)-${1000 + i}$` }));
    const found = new AutomationIndex(many).candidates({ alias: 'rc-1017' });
    expect(found).toContain(many[17]);
    expect(found.length).toBeLessThan(5);
  });

  it('looks at those whose patterns require no text', () => {
    const any = automation({ alias_regex: '.*' });
    expect(new AutomationIndex([any]).candidates({ alias: 'x' })).toEqual([any]);
  });

  it('misses none that matches, and names none twice', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
    const pattern = fc.oneof(
      text.map((part) => `^${part}`),
      text,
      text.map((part) => `(x|${part})`),
      fc.constant('a.*b'),
    );
    const filters = fc.record(
      { alias_regex: pattern, collection_regex: pattern, artifact_type: text },
      { requiredKeys: ['alias_regex'] },
    );
    fc.assert(
      fc.property(fc.array(filters), text, text, text, (list, alias, collection, artifactType) => {
        const automations = list.map(automation);
        const facts: EventFacts = { alias, collection, artifactType };
        const found = new AutomationIndex(automations).candidates(facts);
        expect(new Set(found).size).toBe(found.length);
        const expected = automations.filter((each) => matches(each, facts));
        expect(new Set(found.filter((each) => matches(each, facts)))).toEqual(new Set(expected));
      }),
    );
  });
});
