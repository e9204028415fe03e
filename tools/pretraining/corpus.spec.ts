import { chatsOfStep, randomChat, SKILLS } from './corpus.js';
import { demoPrompts, holdsDemoPrompt } from './material/demo-prompts.js';
import { ChatWriter } from './material/encode-chat.js';
import { heldOutChats, heldOutMix } from './held-out.js';
import { Random } from './material/random.js';
import { WORD_LISTS } from './material/words.js';

const random = new Random(2024);
const CHATS = Array.from({ length: 10_000 }, () => randomChat(random));
const turns = (role: 'user' | 'system' | 'assistant') =>
  CHATS.flatMap(({ messages }) => messages.filter((one) => one.role === role).map((one) => String(one.content ?? '')));
const ASKED = [...new Set([...turns('user'), ...turns('system')])];

describe('the corpus', () => {
  it('is the same for the same seed and step, and another for any other', () => {
    expect(chatsOfStep(1, 7, 20)).toEqual(chatsOfStep(1, 7, 20));
    expect(chatsOfStep(1, 7, 20)).not.toEqual(chatsOfStep(1, 8, 20));
    expect(chatsOfStep(1, 7, 20)).not.toEqual(chatsOfStep(2, 7, 20));
  });

  it('never holds a prompt of the demonstration', () => {
    const prompts = new Set(demoPrompts());
    expect(ASKED.filter((text) => prompts.has(text) || holdsDemoPrompt(text))).toEqual([]);
  });

  it('comes near to them', () => {
    expect(ASKED.some((text) => /answer with \W?yes\W+(or )?\W?no/i.test(text))).toBe(true);
    expect(ASKED.some((text) => /^just respond with /i.test(text))).toBe(true);
  });

  it('never uses a held-out wording', () => {
    const asked = ASKED.map((text) => text.toLowerCase());
    const found = SKILLS.flatMap((skill) => skill.heldOut).filter((wording) => {
      const parts = literalParts(wording);
      return asked.some((text) => inOrder(text, parts));
    });
    expect(found).toEqual([]);
  });

  it('has every skill in about its share', () => {
    const total = SKILLS.reduce((sum, { share }) => sum + share, 0);
    for (const { name, share } of SKILLS) {
      const part = CHATS.filter(({ skill }) => skill === name).length / CHATS.length;
      expect(Math.abs(part - share / total)).toBeLessThan(0.012);
    }
  });

  it('holds out wordings of nearly every skill', () => {
    expect(SKILLS.filter(({ heldOut }) => heldOut.length === 0).map(({ name }) => name)).toEqual(['several turns']);
  });

  it('is short: under 70 tokens a chat, all within the context', () => {
    const lengths = CHATS.map((chat) => new ChatWriter(chat).branch(false).tokens.length);
    expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeLessThan(70);
    expect(Math.max(...lengths)).toBeLessThan(1024);
  });

  it('is whole UTF-8, without a slot left open', () => {
    const texts = [...ASKED, ...turns('assistant')];
    expect(texts.filter((text) => !text.isWellFormed() || /\{\w+\}|undefined|\[object/.test(text))).toEqual([]);
    expect(ASKED.some((text) => /[^\x00-\x7f]/.test(text))).toBe(true);
  });

  it('ends every chat with an answer that says something', () => {
    const silent = CHATS.filter(({ messages }) => {
      const last = messages.at(-1);
      return last?.role !== 'assistant' || !(last.content || last.tool_calls?.length);
    });
    expect(silent).toEqual([]);
  });
});

describe('words of the corpus', () => {
  it('are listed once', () => {
    for (const words of WORD_LISTS) expect(words.length).toBe(new Set(words).size);
  });
});

describe('held-out chats', () => {
  it('are as many of every skill, the same for the same seed', () => {
    const chats = heldOutChats(1, 3, 'heldOut');
    expect(chats).toHaveLength(3 * SKILLS.length);
    expect(chats).toEqual(heldOutChats(1, 3, 'heldOut'));
    expect(SKILLS.map(({ name }) => chats.filter(({ skill }) => skill === name).length)).toEqual(SKILLS.map(() => 3));
  });

  it('are mostly not in the corpus, in any wording', () => {
    const known = new Set(CHATS.map(({ messages }) => JSON.stringify(messages)));
    const repeated = (chats: typeof CHATS) =>
      chats.filter(({ messages }) => known.has(JSON.stringify(messages))).length / chats.length;
    expect(repeated(heldOutMix(1, 1000))).toBeLessThan(0.25);
    expect(repeated(heldOutChats(1, 20, 'heldOut').filter(({ skill }) => skill !== 'several turns'))).toBe(0);
  });
});

/** What a wording says around its slots, without regard to capitals and the mark at its end. */
function literalParts(wording: string): string[] {
  return wording
    .toLowerCase()
    .replace(/[.?!]$/, '')
    .split(/\{\w+\}/);
}

/** Whether a text holds the parts one after the other, wherever they stand and whatever is between them. */
function inOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part, place) => {
    const at = text.indexOf(part, from + (place === 0 ? 0 : 1));
    from = at + part.length;
    return at >= 0;
  });
}
