/**
 * How rows of a table move with their project: said by the lib that owns the table, read by `libs/archives`. Columns need
 * no list, so that a new one moves by itself. Conditions and expressions are SQL: `t` is the table, `s` a row that comes.
 */
export interface ArchivedTable {
  name: string;
  /** What says whose a row is: its column of the project, or of the row of another table, without which it doesn't move. */
  owner: { project: string } | { column: string; of: string };
  /** Its column `id` is a uuid, which is another one in another project. */
  hasId?: true;
  /** Which rows of the project move. */
  where?: string;
  /** Columns with ids of rows that move too. A row goes without an optional one, and not at all without another. */
  links?: Readonly<Record<string, { to: string; isOptional?: true }>>;
  /** Moves only with the whole project, not with chosen runs. */
  onlyWhole?: true;
  /** The column with the SHA-256 of a content. */
  content?: string;
  /** What there is one of in a project; with what it is in errors, and how it is told from the one that is there. */
  unique?: { columns: readonly string[]; noun: string; label: string; differs: string };
  /** Rows are known by what they hold: one that is there already is the same. */
  isShared?: true;
  /** `ON CONFLICT ...`, where a later row takes the place of an earlier one. */
  onConflict?: string;
  /** Columns of rows that are there already which grow to what comes. */
  grows?: readonly string[];
  /** Columns that the database fills again, in the order of what they were. */
  renumbers?: string;
  /** What columns become. `heddle.source` and `heddle.target` are settings: `entity/project`. */
  becomes?: Readonly<Record<string, string>>;
  /** What is true of each row that comes, by what is said of one that it isn't. */
  checks?: Readonly<Record<string, string>>;
}

const JSON_OBJECT = (column: string): string => `json_typeof(s.${column}::json) = 'object'`;

/** The parts of checks that many tables have. */
export const ROW_CHECKS = {
  isObject: JSON_OBJECT,
  isJson: (column: string): string => `s.${column} IS NULL OR s.${column}::json IS NOT NULL`,
  isName: (column: string): string =>
    `s.${column} <> '' AND length(s.${column}) <= 256 AND s.${column} !~ '[[:cntrl:]/]'`,
  /** As the rule for files of versions has it: relative, and with no way out. */
  isPath: (column: string): string =>
    `s.${column} <> '' AND octet_length(s.${column}) <= 1024 AND s.${column} !~ '[[:cntrl:]\\\\]'
     AND s.${column} !~ '(^|/)\\.{0,2}(/|$)' AND s.${column} !~ '^[A-Za-z]:'`,
} as const;
