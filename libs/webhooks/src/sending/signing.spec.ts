import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { signatureHeaders } from './signing.js';

const body = Buffer.from('{"alias":"é 🔑\u2028","n":1.0}');
const id = '2f1c9f9e-7d0b-4f6e-9a53-0f8f1f0f3c11';

describe('signatureHeaders', () => {
  it.each(['plain secret', 'ключ 🔑', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'signs the body with the bytes of %j for X-Service-Signature',
    (secret) => {
      const { 'x-service-signature': signature } = signatureHeaders({ id, body, at: new Date() }, secret);
      expect(signature).toBe(createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex'));
    },
  );

  it('agrees with a published value (RFC 4231, case 2)', () => {
    const what = Buffer.from('what do ya want for nothing?');
    expect(signatureHeaders({ id, body: what, at: new Date() }, 'Jefe')['x-service-signature']).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('agrees with the published example of Standard Webhooks', () => {
    const example = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: Buffer.from('{"test": 2432232314}'),
      at: new Date(1614265330_000),
    };
    expect(signatureHeaders(example, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it("passes other people's verifiers, and nothing that was changed does", () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = signatureHeaders({ id, body, at: new Date() }, secret);
    const raw = signatureHeaders({ id, body, at: new Date() }, 'a plain secret');
    for (const verifier of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      expect(verifier.verify(body.toString(), headers)).toEqual({ alias: 'é 🔑\u2028', n: 1 });
      expect(() => verifier.verify(`${body.toString()} `, headers)).toThrow('No matching signature');
      expect(() => verifier.verify(body.toString(), { ...headers, 'webhook-id': 'other' })).toThrow('No matching');
    }
    expect(new StandardWebhook('a plain secret', { format: 'raw' }).verify(body.toString(), raw)).toMatchObject({
      n: 1,
    });
  });

  it('names the event and the time without a secret, and signs nothing', () => {
    expect(signatureHeaders({ id, body, at: new Date(1_700_000_000_999) }, null)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1700000000',
    });
  });
});
