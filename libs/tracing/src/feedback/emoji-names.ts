import { createRequire } from 'node:module';

/** By the Unicode modifier. */
const TONES: Readonly<Record<string, string>> = {
  '\u{1f3fb}': 'light skin tone',
  '\u{1f3fc}': 'medium-light skin tone',
  '\u{1f3fd}': 'medium skin tone',
  '\u{1f3fe}': 'medium-dark skin tone',
  '\u{1f3ff}': 'dark skin tone',
};
/** What stands for itself only with tones, or is a part of others. */
const PARTS: Readonly<Record<string, string>> = {
  '🧑‍❤️‍🧑': 'couple with heart: person, person',
  '🧑‍❤️‍💋‍🧑': 'kiss: person, person',
  '🦰': 'red hair',
  '🦱': 'curly hair',
  '🦲': 'bald',
  '🦳': 'white hair',
  ...TONES,
};
const TONE = /[\u{1f3fb}-\u{1f3ff}]/gu;

// Made of text, since TypeScript's target doesn't know the flag yet.
const ONE_EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');

interface Named {
  emoji: string;
  name: string;
}

let known: Map<string, Named> | undefined;

/** What the clients' dashboards look reactions up by. Names are those of Python's `emoji`: `:thumbs_up_dark_skin_tone:`. */
export interface EmojiNames {
  alias: string;
  detoned: string;
  detoned_alias: string;
}

/** Null for anything but exactly one emoji. */
export function emojiNames(text: string): EmojiNames | null {
  const base = table().get(plain(text.replace(TONE, '')));
  // A bare tone is an emoji of its own.
  const alone = base ?? table().get(plain(text));
  if (!alone) return ONE_EMOJI.test(text) ? { alias: text, detoned: text, detoned_alias: text } : null;
  const tones = base ? [...text.matchAll(TONE)].map(([tone]) => TONES[tone]!) : [];
  return { alias: alias(toned(alone.name, tones)), detoned: alone.emoji, detoned_alias: alias(alone.name) };
}

/** A person's tone goes before the hair. */
function toned(name: string, tones: string[]): string {
  if (tones.length === 0) return name;
  const tone = new Set(tones).size === 1 ? tones[0]! : tones.join(' ');
  const [, kind, hair] = /^(man|woman|person) (.*hair|bald|beard)$/.exec(name) ?? [];
  return kind === undefined ? `${name} ${tone}` : `${kind} ${tone} ${hair}`;
}

const alias = (name: string): string =>
  `:${name
    .replace(/^flag /, '')
    .replace(/[“”:,]/g, '')
    .replaceAll(' ', '_')}:`;

const plain = (text: string): string => text.replaceAll('\ufe0f', '');

/** Made at the first reaction: most processes never see one. */
function table(): Map<string, Named> {
  if (known) return known;
  const all = createRequire(import.meta.url)('unicode-emoji-json/data-by-emoji.json') as Record<string, Named>;
  const named = [...Object.entries(all).map(([emoji, { name }]) => [emoji, name] as const), ...Object.entries(PARTS)];
  known = new Map(named.map(([emoji, name]) => [plain(emoji), { emoji, name }]));
  return known;
}
