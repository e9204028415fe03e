const two = (value: number) => String(value).padStart(2, '0');

/**
 * The directives of Python's strftime that chat templates use, in English and local time, as in Python's default
 * locale.
 */
const DIRECTIVES: Record<string, (date: Date) => string> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  m: (date) => two(date.getMonth() + 1),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2, ' '),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  B: (date) => date.toLocaleString('en-US', { month: 'long' }),
  b: (date) => date.toLocaleString('en-US', { month: 'short' }),
  A: (date) => date.toLocaleString('en-US', { weekday: 'long' }),
  a: (date) => date.toLocaleString('en-US', { weekday: 'short' }),
  '%': () => '%',
};

/** Python's strftime. A dash (`%-d`) leaves out leading zeros; unknown directives stay as they are. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (directive, dash: string, letter: string) => {
    const value = DIRECTIVES[letter]?.(date);
    if (value === undefined) return directive;
    return dash ? value.replace(/^[0 ]+(?=.)/, '') : value;
  });
}
