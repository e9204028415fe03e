/** PostgreSQL has no text with a zero, and no half of a pair. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
