import { untilLastMessage } from './last-message.js';

const until = (rendered: string, content: string): string =>
  untilLastMessage(rendered, [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
  ]);

describe('untilLastMessage', () => {
  it.each([
    ['<u>Hi</u><a>Well, </a>', 'Well, ', '<u>Hi</u><a>Well, '],
    // As transformers: space that the template takes away stays away.
    ['<u>Hi</u><a>Well,</a>', ' Well, ', '<u>Hi</u><a>Well,'],
    ['<u>Hi</u><a>Hi</a>', 'Hi', '<u>Hi</u><a>Hi'],
  ])('cuts %j behind %j', (rendered, content, expected) => {
    expect(until(rendered, content)).toBe(expected);
  });

  it.each(['', ' ', 'gone'])('refuses a last message of %j', (content) => {
    expect(() => until('<u>Hi</u><a></a>', content)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'messages' }),
    );
  });
});
