/** Bodies of routes that SDKs call, from when they are read to when they are checked: a pipe isn't told of the route. */
const lenient = new WeakSet<object>();

export function markLenient(body: unknown): void {
  if (typeof body === 'object' && body !== null) lenient.add(body);
}

export const isLenient = (body: unknown): boolean => typeof body === 'object' && body !== null && lenient.has(body);
