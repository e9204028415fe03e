import { setTimeout as pause } from 'node:timers/promises';

/** Reads again and again until it holds; at the latest after so many milliseconds it throws what it read last. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  holds: (value: T) => boolean,
  patience = 10_000,
): Promise<T> {
  for (const deadline = Date.now() + patience; ; await pause(20)) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
  }
}
