import { EXACT_DIGITS } from './json-grammar.js';
import { alternatives } from './rule-book.js';

export interface Bound {
  value: number;
  exclusive: boolean;
}

/** A number without its sign, in decimal digits. */
interface Decimal {
  whole: string;
  /** After the point; no zeros at its end. */
  fraction: string;
  exclusive: boolean;
}

const ZERO: Decimal = { whole: '0', fraction: '', exclusive: false };
const ANY = '[0-9]';

/**
 * Grammar of the numbers between two bounds, written without an exponent and with no more digits than a double keeps
 * apart, so that what is read back is still between them: alternatives, which may begin alike; none where there are none.
 */
export function boundedNumber(min: Bound | null, max: Bound | null, integer: boolean): string[] {
  const positive = magnitudes(
    min && min.value >= 0 ? decimal(min) : ZERO,
    max && decimal(max),
    integer,
    max === null || max.value >= 0,
  );
  const negative = magnitudes(
    max && max.value <= 0 ? decimal(max) : ZERO,
    min && decimal(min),
    integer,
    min === null || min.value < 0,
  );
  return [...positive, ...negative.map((magnitude) => `"-" ${magnitude}`)];
}

export function decimal({ value, exclusive }: Bound): Decimal {
  const [digits, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const [lead, rest = ''] = digits.split('.') as [string, string?];
  const all = lead + rest;
  const point = 1 + Number(exponent);
  const whole = point <= 0 ? '0' : all.padEnd(point, '0').slice(0, point);
  const fraction = point <= 0 ? '0'.repeat(-point) + all : all.slice(point);
  return { whole, fraction: fraction.replace(/0+$/, ''), exclusive };
}

/** Numbers of at least 0 between two others, as alternatives. */
function magnitudes(low: Decimal, high: Decimal | null, integer: boolean, some: boolean): string[] {
  if (!some) return [];
  const from = BigInt(low.whole);
  const to = high ? BigInt(high.whole) : null;
  if (to !== null && to < from) return [];
  const room = integer ? 0 : Math.max(0, EXACT_DIGITS - (high ?? low).whole.length);
  const choices: string[] = [];
  const edge = (whole: string, fraction: string | null): void => {
    if (fraction !== null) choices.push(`"${whole}" ${fraction}`);
  };
  if (to === from) {
    edge(low.whole, fractions(low, high, room));
    return choices;
  }
  edge(low.whole, fractions(low, null, room));
  const free = room === 0 ? '' : ` ("." ${ANY}{1,${room}})?`;
  choices.push(...wholes(from + 1n, to === null ? null : to - 1n).map((whole) => `${whole}${free}`));
  if (high) edge(high.whole, fractions(ZERO, high, room));
  return choices;
}

/** Digits after a whole number's, with the point, between two; null where there are none, `""` may be among them. */
function fractions(low: Decimal, high: Decimal | null, room: number): string | null {
  const choices: string[] = [];
  const bare = low.fraction === '' && !low.exclusive && (high === null || high.fraction !== '' || !high.exclusive);
  if (bare) choices.push('""');
  const digits = room === 0 ? null : after(low, high, low.fraction !== '' || low.exclusive, high !== null, 0, room);
  if (digits !== null) choices.push(`"." ${digits}`);
  return choices.length === 0 ? null : alternatives(choices);
}

/**
 * Digits from `place` on. `atLow` and `atHigh`: whether all digits so far are those of the bound. One digit at least is
 * written; zeros may follow a bound's last digit.
 */
function after(
  low: Decimal,
  high: Decimal | null,
  atLow: boolean,
  atHigh: boolean,
  place: number,
  room: number,
): string | null {
  if (room === 0) return null;
  const least = atLow ? Number(low.fraction[place] ?? 0) : 0;
  const most = atHigh ? Number(high!.fraction[place] ?? 0) : 9;
  const choices: string[] = [];
  const add = (from: number, to: number, isLow: boolean, isHigh: boolean): void => {
    if (from > to) return;
    const digit = from === to ? `"${from}"` : `[${from}-${to}]`;
    const more = isLow || isHigh ? after(low, high, isLow, isHigh, place + 1, room - 1) : null;
    const done =
      (!isLow || (place + 1 >= low.fraction.length && !low.exclusive)) &&
      (!isHigh || place + 1 < high!.fraction.length || !high!.exclusive);
    if (!isLow && !isHigh) choices.push(room === 1 ? digit : `${digit} ${ANY}{0,${room - 1}}`);
    else if (more !== null) choices.push(`${digit} ${done ? `(${more})?` : more}`);
    else if (done) choices.push(digit);
  };
  if (atLow && atHigh && least === most) add(least, most, true, true);
  else {
    if (atLow) add(least, least, true, false);
    add(atLow ? least + 1 : least, atHigh ? most - 1 : most, false, false);
    if (atHigh) add(most, most, false, true);
  }
  return choices.length === 0 ? null : alternatives(choices);
}

/** Whole numbers from `low` to `high`, or to the largest of 15 digits, without leading zeros. */
function wholes(low: bigint, high: bigint | null): string[] {
  const limit = high ?? 10n ** BigInt(Math.max(EXACT_DIGITS, low.toString().length)) - 1n;
  const choices: string[] = [];
  // One stretch for each count of digits.
  for (let from = low; from <= limit;) {
    const end = 10n ** BigInt(from.toString().length) - 1n;
    const to = end < limit ? end : limit;
    choices.push(...sameLength(from.toString(), to.toString()));
    from = to + 1n;
  }
  return choices;
}

function sameLength(low: string, high: string): string[] {
  if (low === '') return [''];
  const [first, last] = [Number(low[0]), Number(high[0])];
  const rest = low.length - 1;
  const everything = (from: number, to: number): string => {
    const digit = from === to ? `"${from}"` : `[${from}-${to}]`;
    return rest === 0 ? digit : `${digit} ${ANY}{${rest}}`;
  };
  if (/^0*$/.test(low.slice(1)) && /^9*$/.test(high.slice(1))) return [everything(first, last)];
  if (first === last) return sameLength(low.slice(1), high.slice(1)).map((tail) => `"${first}" ${tail}`);
  const choices = sameLength(low.slice(1), '9'.repeat(rest)).map((tail) => `"${first}" ${tail}`);
  if (first + 1 <= last - 1) choices.push(everything(first + 1, last - 1));
  choices.push(...sameLength('0'.repeat(rest), high.slice(1)).map((tail) => `"${last}" ${tail}`));
  return choices;
}
