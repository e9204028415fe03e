/** Milliseconds for which others may still overtake: most waits are over before, and nothing has stood still for them. */
export const OVERTAKING_MS = 1000;

/** A place in the line, kept until what was waited for is there or given up. */
export interface PlaceInLine {
  /** Whether it may take memory now. */
  isNext(): boolean;
  leave(): void;
}

/**
 * Who waits for memory for which base model, the longest first. Without it, a base model in constant use would never be
 * idle, and who needs its memory for another would wait for ever.
 */
export class WaitingLine<Model> {
  private readonly places = new Set<{ model: Model; since: number }>();

  constructor(
    /** Called when others may have become next. */
    private readonly onChange: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  join(model: Model): PlaceInLine {
    const own = { model, since: this.now() };
    this.places.add(own);
    return {
      isNext: () => {
        for (const other of this.places) {
          if (other === own) return true;
          // Who wants the same base model is served together with this one.
          if (other.model !== model && this.now() - other.since >= OVERTAKING_MS) return false;
        }
        return true;
      },
      leave: () => {
        if (this.places.delete(own)) this.onChange();
      },
    };
  }
}
