/** What PostgreSQL takes for a `uuid`, as far as the API knows it: 36 characters in five groups, of either case. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

const UUID = new RegExp(UUID_PATTERN);

/** Whether a text can be compared with a `uuid` column: anything else would fail there. */
export const isUuid = (text: string): boolean => UUID.test(text);
