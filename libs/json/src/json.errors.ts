/** A body that can't be read as JSON. The message names the place (a byte offset) and never quotes the body. */
export class JsonError extends Error {
  constructor(
    problem: string,
    readonly offset: number,
  ) {
    super(`${problem} at byte ${offset}`);
    this.name = new.target.name;
  }
}

/** The bytes are not JSON (RFC 8259). */
export class JsonSyntaxError extends JsonError {}

/** The bytes may well be JSON, but are nested deeper, or hold more values, than the options allow. */
export class JsonLimitError extends JsonError {}
