interface Turn<T> {
  current: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Asks once for all who ask while an earlier question is under way. Nobody gets an answer that was read before he asked, so
 * that whoever has seen a change sees it here too: what arrives while a question is being answered waits for the next one.
 */
export class GatheredLookups<T> {
  private readonly turns = new Map<string, Turn<T>>();

  /** @param lookUp the same for all who name the same key */
  get(key: string, lookUp: () => Promise<T>): Promise<T> {
    const turn = this.turns.get(key);
    if (!turn) return this.start(key, lookUp);
    const start = (): Promise<T> => this.start(key, lookUp);
    return (turn.next ??= turn.current.then(start, start));
  }

  private start(key: string, lookUp: () => Promise<T>): Promise<T> {
    const turn: Turn<T> = { current: lookUp(), next: null };
    this.turns.set(key, turn);
    const end = (): void => {
      // Whoever waits for the next turn begins it.
      if (!turn.next) this.turns.delete(key);
    };
    turn.current.then(end, end);
    return turn.current;
  }
}
