/** Ends the streams of chats and completions. */
export const DONE = 'data: [DONE]\n\n';

/** A value as one event of a stream. */
export const eventText = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
