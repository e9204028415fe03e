/** A PgBouncer of the test's own before a database, with the settings that are shipped. */
export class PgBouncer {
  private constructor();
  /** @param database its URL */
  static start(database: string): Promise<PgBouncer>;
  /** Of the database, through it. */
  readonly url: string;
  /** Starts it again after `kill`, at the same address. */
  resume(): Promise<void>;
  /** Ends it with no warning: every connection over it is cut. */
  kill(): Promise<void>;
  /** Ends it for good. */
  remove(): Promise<void>;
}
