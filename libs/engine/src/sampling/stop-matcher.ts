/** What may be shown, and the stop string that was found. */
export interface StopMatch {
  emit: string;
  stopped: string | null;
}

/**
 * Looks for stop strings in text that arrives piece by piece. The stop string that is complete first wins, of those
 * complete at the same character the longest, so how the text was cut never matters. After a match nothing more comes.
 */
export class StopMatcher {
  private held = '';
  private readonly longest: number;

  constructor(
    private readonly stops: readonly string[],
    /** Whether what is emitted ends with the stop string. */
    private readonly includeStop: boolean,
  ) {
    this.longest = Math.max(0, ...stops.map((stop) => stop.length));
  }

  push(piece: string): StopMatch {
    if (this.longest === 0) return { emit: piece, stopped: null };
    const text = this.held + piece;
    const match = this.find(text);
    if (match) {
      this.held = '';
      const end = this.includeStop ? match.start + match.stop.length : match.start;
      return { emit: text.slice(0, end), stopped: match.stop };
    }
    const from = this.startOfHeld(text);
    this.held = text.slice(from);
    return { emit: text.slice(0, from), stopped: null };
  }

  /** What was held back, when no more text comes. */
  flush(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private find(text: string): { start: number; stop: string } | null {
    let found: { start: number; stop: string } | null = null;
    let end = Infinity;
    for (const stop of this.stops) {
      const start = text.indexOf(stop);
      if (start < 0) continue;
      const complete = start + stop.length;
      if (complete < end || (complete === end && start < found!.start)) {
        found = { start, stop };
        end = complete;
      }
    }
    return found;
  }

  /** Where the longest end of the text begins that a stop string could begin with. */
  private startOfHeld(text: string): number {
    for (let from = Math.max(0, text.length - this.longest + 1); from < text.length; from++) {
      const tail = text.slice(from);
      if (this.stops.some((stop) => stop.startsWith(tail))) return from;
    }
    return text.length;
  }
}
