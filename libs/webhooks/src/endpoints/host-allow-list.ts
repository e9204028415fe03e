import type ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { matchesAny, parseAddress } from './address-rules.js';

/** Receivers that the operator opened (WEBHOOK_ALLOWED_HOSTS): whatever address, scheme and port they have. */
export class HostAllowList {
  private readonly names = new Set<string>();
  private readonly domains: string[] = [];
  private readonly networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];

  /** @param entries host names, `*.` and a domain, IP addresses, CIDRs */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [host = '', bits] = entry.toLowerCase().split('/');
      if (isIP(host)) {
        const address = parseAddress(host);
        const whole = address.kind() === 'ipv4' ? 32 : 128;
        this.networks.push([address, bits === undefined ? whole : Number(bits)]);
      } else if (host.startsWith('*.')) this.domains.push(host.slice(1));
      else this.names.add(host);
    }
  }

  /** @param host in lower case */
  allowsName(host: string): boolean {
    return this.names.has(host) || this.domains.some((domain) => host.endsWith(domain));
  }

  allowsAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return matchesAny(address, this.networks);
  }
}
