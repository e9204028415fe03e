import { type ValidationDetail, ValidationError } from '@heddle/http';

/** Where in a body, as keys and indices. */
export type BodyPlace = readonly (string | number)[];

/** Nobody reads more of them. */
const MAX_DETAILS = 20;

/** What is wrong with a body, place by place. */
export class BodyProblems {
  private readonly details: ValidationDetail[] = [];

  /** @throws ValidationError once there are enough of them */
  add(loc: BodyPlace, msg: string, type: string, input?: unknown): void {
    this.details.push({ loc: ['body', ...loc].map(String), msg, type, ...(input !== undefined && { input }) });
    if (this.details.length >= MAX_DETAILS) this.throwIfAny();
  }

  throwIfAny(): void {
    if (this.details.length > 0) throw new ValidationError(this.details);
  }
}
