// Without 29 February, so that every date exists.
const DATE =
  '[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const TIME = `${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-]${CLOCK})`;
const HEX = '[0-9a-fA-F]';
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const LABEL = '[a-z0-9]{1,16}(?:-[a-z0-9]{1,16})?';
/** The last label begins with a letter: others would make it an address. */
const HOST = `(?:${LABEL}\\.){0,2}[a-z][a-z0-9]{1,15}`;
const GROUP = `${HEX}{1,4}`;
const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  ...Array.from({ length: 7 }, (_, before) => {
    const start = before === 0 ? ':' : `(?:${GROUP}:){${before}}`;
    return `${start}(?::${GROUP}){1,${7 - before}}`;
  }),
  `(?:${GROUP}:){1,7}:`,
  '::',
].join('|');
const IN_PATH = '(?:[a-zA-Z0-9._~-]|%[0-9A-F]{2})';
const PATH = `(?:/${IN_PATH}*)*`;
const QUERY = `(?:\\?(?:${IN_PATH}|[=&])*)?(?:#${IN_PATH}*)?`;
const URI = `(?:(?:https?|wss?|ftp)://${HOST}(?::[1-9][0-9]{0,3})?${PATH}|(?:urn|mailto|tel|data|file|[a-z]+\\+[a-z]+):${IN_PATH}+${PATH})${QUERY}`;
const SECONDS = '[0-9]{1,4}S';
const CLOCKED = `T(?:[0-9]{1,4}H(?:[0-9]{1,4}M(?:${SECONDS})?)?|[0-9]{1,4}M(?:${SECONDS})?|${SECONDS})`;
const DAYS = '(?:[0-9]{1,4}Y(?:[0-9]{1,4}M(?:[0-9]{1,4}D)?)?|[0-9]{1,4}M(?:[0-9]{1,4}D)?|[0-9]{1,4}D)';
const ATOM = '(?:[A-Za-z0-9_ ,:/=@-]|\\\\[dDwWsS.]|\\.|\\[[a-zA-Z0-9]{1,8}\\])';

/**
 * Formats of strings that are enforced, as regular expressions for the plain kind of each (RFC 3339, ISO 8601, RFC 4122, 2673,
 * 4291, 3986, 1123, 6901; mail addresses and patterns without the rarer forms). Other formats are notes.
 */
export const STRING_FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE}T${TIME}`,
  duration: `P(?:[0-9]{1,4}W|${DAYS}(?:${CLOCKED})?|${CLOCKED})`,
  uuid: `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`,
  ipv4: IPV4,
  ipv6: IPV6,
  email: `[a-zA-Z0-9_]{1,24}(?:[.+-][a-zA-Z0-9_]{1,24})?@(?:${LABEL}\\.){1,2}[a-z]{2,12}`,
  hostname: HOST,
  uri: URI,
  'uri-reference': `${URI}|${PATH}${QUERY}`,
  iri: URI,
  'iri-reference': URI,
  'uri-template': URI,
  'json-pointer': '(?:/(?:[^~/"\\\\\\x00-\\x1f]|~[01])*)*',
  'relative-json-pointer': '(?:0|[1-9][0-9]{0,4})(?:#|(?:/(?:[^~/"\\\\\\x00-\\x1f]|~[01])*)*)',
  regex: `\\^?(?:${ATOM}[*+?]?)*\\$?`,
  'idn-email': '[a-zA-Z0-9_]{1,32}@[a-z]{1,20}\\.[a-z]{2,20}',
  'idn-hostname': HOST,
};
