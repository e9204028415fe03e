import { EndpointGuard, HostAllowList, WebhookSender } from '@heddle/webhooks';

/** Host names as a test wants them; each look-up of a list of lists takes the next one. Other names don't exist. */
export class TestNames {
  readonly lookUps: string[] = [];

  constructor(private readonly names: Record<string, string[] | string[][]> = {}) {}

  async resolve(host: string): Promise<string[]> {
    this.lookUps.push(host);
    const answers = this.names[host];
    if (!answers) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    if (typeof answers[0] === 'string') return answers as string[];
    const left = answers as string[][];
    return left.length > 1 ? left.shift()! : left[0]!;
  }
}

export const LOOPBACK = ['127.0.0.0/8', '::1'];

/** A sender that may reach what `allowed` says, and trusts `ca` beside nobody else. */
export const senderOf = (names = new TestNames(), allowed: string[] = LOOPBACK, ca?: string): WebhookSender =>
  new WebhookSender(new EndpointGuard(new HostAllowList(allowed), names), ca ? { ca: [ca] } : {});
