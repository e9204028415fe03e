const ANSWERS = ['yes', 'no', 'maybe'];

/**
 * The prompts of the yes-no-maybe demonstration, on which reinforcement learning is shown and tested: three or two of the
 * words in every order, quoted or not, asked in two ways.
 */
export function demoPrompts(): string[] {
  return ['respond', 'just respond'].flatMap((verb) =>
    [true, false].flatMap((quoted) =>
      [...orders(ANSWERS, 3), ...orders(ANSWERS, 2)].map((words) => {
        const shown = quoted ? words.map((word) => `'${word}'`) : words;
        return `${verb} with ${shown.join(words.length === 3 ? ', ' : ' or ')}`;
      }),
    ),
  );
}

function orders(words: readonly string[], count: number): string[][] {
  if (count === 0) return [[]];
  return words.flatMap((word) =>
    orders(
      words.filter((other) => other !== word),
      count - 1,
    ).map((rest) => [word, ...rest]),
  );
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/["'“”‘’`*]/g, '')
    .replace(/\s+/g, ' ');

// "respond with …" is within "just respond with …".
const FORBIDDEN = [...new Set(demoPrompts().map((prompt) => plain(prompt).replace('just ', '')))].sort();

/** Whether a text holds one of the prompts, whatever its quotes, capitals and surroundings. */
export function holdsDemoPrompt(text: string): boolean {
  const normal = plain(text);
  return normal.includes('respond with') && FORBIDDEN.some((prompt) => normal.includes(prompt));
}

/** What the demonstration pays for an answer: "maybe" most, "yes" least of the three. */
export function demoReward(answer: string): number {
  switch (answer.trim().toLowerCase().replace(/[.!]$/, '')) {
    case 'maybe':
      return 1;
    case 'no':
      return 0.75;
    case 'yes':
      return 0.5;
    default:
      return 0;
  }
}
