// Alternatives here begin with different characters, see RuleBook.
const UPTO_28 = '("0" [1-9] | "1" [0-9] | "2" [0-8])';
const UPTO_30 = '("0" [1-9] | [12] [0-9] | "30")';
const UPTO_31 = '("0" [1-9] | [12] [0-9] | "3" [01])';
// Without 29 February, so that every date exists.
const MONTH_AND_DAY =
  `("0" ([13578] "-" ${UPTO_31} | [469] "-" ${UPTO_30} | "2-" ${UPTO_28}) | ` +
  `"1" ([02] "-" ${UPTO_31} | "1-" ${UPTO_30}))`;
const DATE = `[0-9]{4} "-" ${MONTH_AND_DAY}`;
const CLOCK = '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9]';
const TIME = `${CLOCK} ":" [0-5] [0-9] ("." [0-9]{1,9})? ("Z" | [+\\-] ${CLOCK})`;
const HEX = '[0-9a-fA-F]';
const BYTE = '("0" | "1" ([0-9] [0-9]?)? | "2" ([0-4] [0-9]? | "5" [0-5]? | [6-9])? | [3-9] [0-9]?)';
const WORD = '[a-z0-9]{1,20}';
const LABEL = `${WORD} ("-" ${WORD}){0,2}`;

/** Formats of strings that are enforced (RFC 3339, 4122, 2673; mail addresses of the plain kind); others are notes. */
export const STRING_FORMATS: Record<string, string> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE} "T" ${TIME}`,
  uuid: `${HEX}{8} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{12}`,
  ipv4: `${BYTE} "." ${BYTE} "." ${BYTE} "." ${BYTE}`,
  email: `[a-zA-Z0-9_]{1,32} ("." [a-zA-Z0-9_]{1,32}){0,3} "@" ${LABEL} ("." ${LABEL}){1,3}`,
};
