// XML knows no control characters, lone surrogates and non-characters; marks of direction would turn the text beside.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Text that an SVG document can hold, as it will be seen. Whoever writes the document still has to escape it. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\uFFFD');
