import { isIP } from 'node:net';
import { withDeadline } from '@heddle/process';
import { isMetadataAddress, isPublicAddress, parseAddress } from './address-rules.js';
import type { HostAllowList } from './host-allow-list.js';
import type { HostResolver } from './host-resolver.js';
import { EndpointRefusedError, ResolutionError } from '../sending/send.errors.js';

/** An endpoint whose addresses are known and all permitted. */
export interface CheckedEndpoint {
  url: URL;
  /** Without brackets and without the root's dot. */
  host: string;
  port: number;
  /** What may be dialled: at least one. */
  addresses: string[];
}

const MAX_URL_LENGTH = 2048;
const SAVING_LOOK_UP_MS = 3000;
const METADATA_NAMES = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
]);
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA']);
const TIMED_OUT = new Set(['ETIMEOUT', 'EAI_AGAIN']);

/**
 * Which endpoints webhooks may reach: https on port 443 or 1024 and above, at hosts all of whose addresses are public. The
 * operator's allow-list opens other addresses, ports and plain http; nothing opens a cloud's metadata service.
 */
export class EndpointGuard {
  constructor(
    private readonly allowed: HostAllowList,
    private readonly resolver: HostResolver,
  ) {}

  /**
   * Resolves the host and judges every address of it.
   * @throws EndpointRefusedError, ResolutionError
   */
  async check(endpoint: string): Promise<CheckedEndpoint> {
    const { url, host, port } = parseEndpoint(endpoint);
    const addresses = isIP(host) ? [host] : await this.resolve(host);
    for (const address of addresses) this.judge(url, host, port, address);
    return { url, host, port, addresses };
  }

  /**
   * As {@link check}, but a host that has no address just now may get one later: it is judged without, and again at every
   * attempt.
   * @throws EndpointRefusedError
   */
  async checkForSaving(endpoint: string): Promise<void> {
    const { url, host, port } = parseEndpoint(endpoint);
    const late = (): Error => new ResolutionError('dns_timeout', `The look-up of ${host} took too long`);
    try {
      await withDeadline(SAVING_LOOK_UP_MS, () => this.check(endpoint), late);
    } catch (error) {
      if (!(error instanceof ResolutionError)) throw error;
      if (!this.allowed.allowsName(host)) refuseInsecure(url, port);
    }
  }

  private judge(url: URL, host: string, port: number, text: string): void {
    // Refusals don't say what a name resolved to: names of the operator's network are nobody else's business.
    if (!isIP(text)) throw refused('blocked_address', `${host} has an address that is none`);
    const address = parseAddress(text);
    if (isMetadataAddress(address)) throw refused('blocked_address', `${host} is a cloud's metadata service`);
    if (this.allowed.allowsName(host) || this.allowed.allowsAddress(address)) return;
    if (!isPublicAddress(address)) throw refused('blocked_address', `${host} is not at a public address`);
    refuseInsecure(url, port);
  }

  private async resolve(host: string): Promise<string[]> {
    try {
      return await this.resolver.resolve(host, this.allowed.allowsName(host));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const cause = { cause: error };
      if (NOT_FOUND.has(code)) throw new ResolutionError('dns_not_found', `${host} has no address`, cause);
      if (TIMED_OUT.has(code)) throw new ResolutionError('dns_timeout', `The look-up of ${host} got no answer`, cause);
      throw new ResolutionError('dns_failed', `The look-up of ${host} failed`, cause);
    }
  }
}

type Endpoint = Omit<CheckedEndpoint, 'addresses'>;

function parseEndpoint(endpoint: string): Endpoint {
  // Others may read odd URLs in other ways: none but plain ones pass.
  const url = /^https?:\/\/[^\s\\/][^\s\\]*$/i.test(endpoint) && endpoint.length <= MAX_URL_LENGTH && parse(endpoint);
  if (!url) throw refused('invalid_url', `This is not an https URL of at most ${MAX_URL_LENGTH} characters`);
  if (/^https?:\/\/[^/?#]*@/i.test(endpoint)) {
    throw refused('userinfo_not_allowed', 'A URL with a user name or password is not allowed: use an access token');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (METADATA_NAMES.has(host)) throw refused('blocked_host', `${host} is a cloud's metadata service`);
  return { url, host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

function refuseInsecure({ protocol }: URL, port: number): void {
  if (protocol !== 'https:') throw refused('https_required', 'Only https is allowed');
  if (port !== 443 && port < 1024) {
    throw refused('blocked_port', `Port ${port} is not allowed: use 443, or 1024 and above`);
  }
}

const parse = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

const refused = (code: EndpointRefusedError['code'], message: string): EndpointRefusedError =>
  new EndpointRefusedError(code, message);
