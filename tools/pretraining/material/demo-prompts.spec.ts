import { demoPrompts, demoReward, holdsDemoPrompt } from './demo-prompts.js';

describe('the prompts of the demonstration', () => {
  it('are 48 different ones', () => {
    const prompts = demoPrompts();
    expect(new Set(prompts).size).toBe(48);
    expect(prompts).toContain('respond with yes, no, maybe');
    expect(prompts).toContain("just respond with 'maybe' or 'no'");
  });

  it.each(demoPrompts())('are found: %s', (prompt) => {
    expect(holdsDemoPrompt(prompt)).toBe(true);
  });

  it.each([
    'Respond with Yes, No, Maybe.',
    'Please respond with "yes" or “no”',
    'Just  respond with\nyes or no or maybe',
    'RESPOND WITH `MAYBE` OR `YES`, now',
  ])('are found in disguise: %s', (text) => {
    expect(holdsDemoPrompt(text)).toBe(true);
  });

  it.each([
    'respond with one of yes, no, maybe',
    'answer with yes or no',
    'respond with apple, yes, no',
    'respond with yes/no',
  ])('are not found in near wordings: %s', (text) => {
    expect(holdsDemoPrompt(text)).toBe(false);
  });

  it('pay most for maybe and nothing for other words', () => {
    expect(['maybe', 'No.', ' YES!', 'perhaps', 'yes no'].map(demoReward)).toEqual([1, 0.75, 0.5, 0, 0]);
  });
});
