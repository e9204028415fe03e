import { Random } from './random.js';
import { exerciseSkill, fill, vary } from './skill.js';

describe('the wording of a question', () => {
  it('takes its slots as they are, also such that look like replacement patterns', () => {
    expect(fill('{a} and {b}', { a: '$&', b: '{a}' })).toBe('$& and {a}');
  });

  it('names a slot that nothing fills', () => {
    expect(() => fill('Say {word}', {})).toThrow('Nothing fills {word} in "Say {word}"');
  });

  it('varies in capitals, politeness and the full stop', () => {
    const random = new Random(1);
    const seen = new Set(Array.from({ length: 500 }, () => vary(random, 'What is the capital of {key}?')));
    expect(seen).toContain('What is the capital of {key}?');
    expect(seen).toContain('what is the capital of {key}?');
    expect(seen).toContain('What is the capital of {key}');
    expect(seen).toContain('Please tell me: what is the capital of {key}?');
    expect([...seen].every((text) => text.includes('{key}'))).toBe(true);
  });

  it('keeps the end where the end matters', () => {
    const random = new Random(1);
    for (let i = 0; i < 300; i++) expect(vary(random, 'Repeat: {text}', true)).toMatch(/\{text\}$/);
  });

  it('never writes "i" for "I"', () => {
    const random = new Random(1);
    for (let i = 0; i < 100; i++) expect(vary(random, 'I can not decide')).toContain('I can');
  });
});

describe('a skill of exercises', () => {
  const skill = exerciseSkill('doubling', 1, [
    { wordings: ['Double {n}'], heldOut: ['Twice {n}'], make: () => ({ slots: { n: '2' }, answer: '4' }) },
  ]);

  it('uses held-out wordings only when asked to, and then as they are', () => {
    const random = new Random(1);
    expect(skill.make(random, 'heldOut').messages[0]).toEqual({ role: 'user', content: 'Twice 2' });
    for (let i = 0; i < 50; i++) expect(skill.make(random, 'corpus').messages[0]?.content).toMatch(/double 2/i);
    expect(skill.heldOut).toEqual(['Twice {n}']);
  });
});
