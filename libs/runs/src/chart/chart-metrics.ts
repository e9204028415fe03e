/** What people look at first. */
const FIRST = ['train/reward', 'val/reward', 'reward', 'train/loss', 'val/loss', 'loss', 'policy_loss'];
const LIKELY = /reward|loss/i;

/** Rewards and losses, the best known first; where a run has neither, its first metrics. */
export function defaultMetrics(names: readonly string[], limit: number): string[] {
  const first = FIRST.filter((name) => names.includes(name));
  const likely = names.filter((name) => LIKELY.test(name) && !isTwin(name, names));
  const chosen = [...new Set([...first, ...likely])];
  return (chosen.length > 0 ? chosen : names).slice(0, limit);
}

/** A training job logs its policy loss as its loss too. */
const isTwin = (name: string, names: readonly string[]): boolean =>
  name.endsWith('policy_loss') && names.includes(name.replace(/policy_loss$/, 'loss'));

/** What values of a query may stand for: a name may have commas in it, and commas divide names. */
export const candidates = (values: readonly string[]): string[] => [
  ...new Set([...values, ...values.flatMap((value) => value.split(','))]),
];

/** The names that values of a query stand for, each once: a value as a whole where it is a metric, else its parts. */
export function requestedMetrics(values: readonly string[], known: ReadonlySet<string>): string[] {
  const names = values.flatMap((value) => (known.has(value) ? [value] : value.split(',')));
  return [...new Set(names.filter((name) => name !== ''))];
}
