import fc from 'fast-check';
import { StopMatcher } from './stop-matcher.js';

function run(stops: string[], pieces: string[], include = false): { shown: string[]; stopped: string | null } {
  const matcher = new StopMatcher(stops, include);
  const shown: string[] = [];
  for (const piece of pieces) {
    const { emit, stopped } = matcher.push(piece);
    shown.push(emit);
    if (stopped !== null) return { shown, stopped };
  }
  return { shown: [...shown, matcher.flush()], stopped: null };
}

/** The definition: the first character at which some stop string is complete; of those, the longest. */
function expected(stops: string[], text: string): { text: string; stopped: string | null } {
  for (let end = 1; end <= text.length; end++) {
    const complete = stops.filter((stop) => text.slice(0, end).endsWith(stop)).sort((a, b) => b.length - a.length)[0];
    if (complete !== undefined) return { text: text.slice(0, end - complete.length), stopped: complete };
  }
  return { text, stopped: null };
}

describe('StopMatcher', () => {
  it('holds back what may become a stop string, and nothing else', () => {
    expect(run(['END'], ['a E', 'N', 'x E', 'ND b'])).toEqual({ shown: ['a ', '', 'ENx ', ''], stopped: 'END' });
  });

  it('shows at the end what was held back', () => {
    expect(run(['END'], ['a EN'])).toEqual({ shown: ['a ', 'EN'], stopped: null });
  });

  it('keeps the stop string where asked to', () => {
    expect(run(['END'], ['a E', 'ND b'], true)).toEqual({ shown: ['a ', 'END'], stopped: 'END' });
  });

  it('prefers what is complete first, then what is longest', () => {
    expect(run(['abcd', 'bc'], ['xabcd'])).toEqual({ shown: ['xa'], stopped: 'bc' });
    expect(run(['c', 'bc'], ['abc'])).toEqual({ shown: ['a'], stopped: 'bc' });
  });

  it('does not depend on how the text is cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 3 }),
        fc.array(letters, { maxLength: 8 }),
        (stops, pieces) => {
          const { shown, stopped } = run(stops, pieces);
          expect({ text: shown.join(''), stopped }).toEqual(expected(stops, pieces.join('')));
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });
});
