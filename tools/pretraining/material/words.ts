import type { Random } from './random.js';

const list = (text: string): string[] => text.trim().split(/\s+/);

export const NOUNS = list(`
  apple arm army art baby bag ball bank basket bed bee bell bird board boat body bone book bottle box boy bread bridge brother bus
  cake camera car card cat chair child circle city class clock cloud coat coin cook corner country cow crowd cup day desk dog door
  dream dress drum ear earth egg engine eye face family farm father field finger fire fish flag floor flower foot forest fork friend
  game garden gate ghost gift girl glass gold grass group guitar hair hammer hand hat head heart hill home horse hotel house ice
  island jacket job juice key king kitchen knife lake lamp leaf letter library light line lion machine map market meal metal
  milk mirror money moon morning mother mountain mouse mouth movie music nail name neck needle night nose ocean office oil page
  paint paper park party pen pencil phone piano picture pilot pipe place plant plate pocket poem pool queen question
  rain ring river road robot rock roof room root rope rose salt sand school sea seat seed shadow sheep ship shirt shoe shop
  silver sister sky snow soap sock song soup spoon star station step stone storm story street sugar summer sun table tail tea
  teacher tent thread ticket tiger tool tooth tower town toy train tree truck umbrella valley village voice wall watch water
  wave wheel wind window wing winter wolf wood word world yard year zebra zoo
`);

export const ADJECTIVES = list(`
  angry big black blue brave bright broken brown busy calm cheap clean clever cold cool dark deep dirty dry early easy empty fair fast
  fine flat fresh full funny gentle good gray great green happy hard heavy high hot huge hungry kind large late lazy light little
  long loud lucky mad narrow new nice noisy odd old open pale pink plain poor proud purple quick quiet rare red rich round sad safe sharp
  short shy silent simple slow small smart soft sour strange strong sweet tall thick thin tiny tired warm weak wet white wide wild wise
  yellow young
`);

const VERBS = list(`
  add ask bake begin blow break bring build buy call carry catch choose clap climb close cry cut dance dig draw drink drive eat fall
  feel fight find float fly fold follow give go grow hear help hide hold hop hope hunt jump keep kick laugh learn leave lift listen look
  lose love make meet mix move open paint play pull push read rest ride run say see sell send sing sit sleep smile speak
  spin stand start stop swim take talk teach think throw touch try turn wait wake walk want wash win work write
`);

const SMALL_WORDS = list(`
  yes no maybe true false ok okay sure never always sometimes often soon later now here there up down left right in out on off
  over under first last more less all none both same other agree disagree accept reject pass fail buy sell hold heads tails
  north south east west positive negative neutral male female rock scissors spam ham cats dogs alpha beta gamma delta
  hello goodbye thanks please perhaps unknown unsure ready done quickly slowly today tomorrow
`);

export const NAMES = list(`
  Anna Ben Carla David Emma Felix Grace Henry Iris Jack Kate Leo Maria Nora Oscar Paula Quinn Rosa Sam Tina Umar Vera Will Xenia Yusuf Zoe
  Adam Bella Chen Diana Elias Fatima Greta Hugo Ivan Julia Karim Lena Max Nina Omar Peter Ruth Sofia Tom Uma Victor Wanda Yara Alice
  Bob Clara Dan Eva Frank Gina Hans Ines Jonas Kim Lucy Mia Noah Olga Paul Rita Steve Theo Walter Amir Mei Ravi Ada Alan
`);

/** Text outside ASCII takes several tokens a character: copying must not break it. */
const UNICODE_WORDS = list(`
  café naïve señor über jalapeño crème façade Zürich São Malmö piñata déjà Köln résumé Ångström garçon niño tschüß œuvre
  日本 東京 привет мир γεια 안녕 🙂 🎉 🚀 ✅ ❤ € £ → ½ °C
`);

export const WORD_LISTS: readonly (readonly string[])[] = [NOUNS, ADJECTIVES, VERBS, SMALL_WORDS, NAMES, UNICODE_WORDS];

const COMMON = [...new Set([...NOUNS, ...ADJECTIVES, ...VERBS, ...SMALL_WORDS])];

const ONSETS = list(
  'b bl br c ch cl cr d dr f fl fr g gl gr h j k kl l m n p pl pr qu r s sc sh sk sl sm sn sp st str t th tr tw v w y z',
);
const VOWELS = list('a e i o u a e i o u ai ea ee ie oa oo ou');
const CODAS = ['', '', '', ...list('b ck d f g l ll m n n nd ng nk nt p r r rd rk rn rt s sh sk ss st t t th x')];

/** A pronounceable word that means nothing. */
export function inventedWord(random: Random): string {
  let word = '';
  for (let syllables = random.weighted([0, 4, 5, 2]); syllables > 0; syllables--) {
    word +=
      random.pick(ONSETS) + random.pick(VOWELS) + (syllables === 1 || random.chance(0.3) ? random.pick(CODAS) : '');
  }
  return word;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Letters and digits without a pattern, as in codes and ids. */
export function code(random: Random): string {
  const alphabet = random.pick([LETTERS, LETTERS.toUpperCase(), '0123456789', LETTERS + '0123456789']);
  return Array.from({ length: random.between(1, 6) }, () =>
    alphabet.charAt(random.between(0, alphabet.length - 1)),
  ).join('');
}

/** A dictionary word in lower case. */
export function commonWord(random: Random): string {
  return random.pick(COMMON);
}

/** Lower-case letters only: dictionary or invented. */
export function plainWord(random: Random): string {
  return random.chance(0.55) ? commonWord(random) : inventedWord(random);
}

/** Any word that somebody may write: known, invented, a name, a code, in capitals, outside ASCII. */
export function anyWord(random: Random): string {
  switch (random.weighted([45, 30, 8, 8, 3])) {
    case 0:
      return anyCase(random, commonWord(random));
    case 1:
      return anyCase(random, inventedWord(random));
    case 2:
      return random.pick(NAMES);
    case 3:
      return code(random);
    default:
      return random.pick(UNICODE_WORDS);
  }
}

function anyCase(random: Random, word: string): string {
  const style = random.weighted([88, 9, 3]);
  return style === 0 ? word : style === 1 ? capitalised(word) : word.toUpperCase();
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `count` different words. */
export function differentWords(random: Random, count: number, word: (random: Random) => string): string[] {
  const words = new Set<string>();
  while (words.size < count) words.add(word(random));
  return [...words];
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
