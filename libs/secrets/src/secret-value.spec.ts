import { accessTokenProblem, refuseProblem, secretValueProblem, signingSecretProblem } from './secret-value.js';

describe("a secret's value", () => {
  it.each(['x', 'two\nlines', 'ключ 🔑', '\u0000', 'x'.repeat(8192)])('may be any text (%#)', (value) => {
    expect(secretValueProblem(value)).toBeNull();
  });

  it.each([undefined, null, 7, {}, '', 'x'.repeat(8193), 'half \ud83d pair'])(
    'is refused if it is not (%#)',
    (value) => {
      expect(secretValueProblem(value)).not.toBeNull();
    },
  );

  it('is never repeated in the refusal', () => {
    const value = `${'hunter2'.repeat(2000)}`;
    expect(() => refuseProblem(['body', 'value'], secretValueProblem(value))).toThrow(
      expect.objectContaining({ detail: [expect.not.objectContaining({ input: value })] }),
    );
  });
});

describe('an access token', () => {
  it('is visible ASCII', () => {
    expect(accessTokenProblem('ghp_16C7e42F292c6912E7710c838347Ae178B4a')).toBeNull();
  });

  it.each(['line\n', 'a\r\nX-Evil: 1', 'a b', 'é', '\u0000', '\u007f'])(
    'is nothing that breaks a header (%j)',
    (value) => {
      expect(accessTokenProblem(value)).toMatchObject({ type: 'is_visible_ascii' });
    },
  );
});

describe('a signing secret', () => {
  it.each(['anything', 'whsec', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAECAw=='])('may be %s', (value) => {
    expect(signingSecretProblem(value)).toBeNull();
  });

  it.each(['whsec_', 'whsec_not base64', 'whsec_AAE', 'whsec_AA-_'])('is not %s', (value) => {
    expect(signingSecretProblem(value)).toMatchObject({ type: 'is_base64' });
  });
});
