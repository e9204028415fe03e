import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const cidrs = (...list: string[]): [Address, number][] => list.map((cidr) => ipaddr.parseCIDR(cidr));

/** Where clouds tell a machine its credentials. No allow-list opens these. */
const METADATA = cidrs(
  '169.254.0.0/16', // AWS, GCP, Azure, DigitalOcean, Oracle, container credentials
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure's host, which has a public address
  '192.0.0.192/32', // Oracle
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // GCP
  'fe80::/10',
);
/** All that is routed on the public internet. */
const GLOBAL_UNICAST = cidrs('2000::/3');
/** Operators map the IPv4 internet to one of these; what they embed is judged. */
const NAT64 = cidrs('64:ff9b::/96');
const LOCAL_NAT64 = cidrs('64:ff9b:1::/48');
const COMPATIBLE = cidrs('::/96');

export const matchesAny = (address: Address, list: readonly (readonly [Address, number])[]): boolean =>
  list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

/**
 * Reads an address; an IPv4 address that is mapped into IPv6 is that IPv4 address. The parser takes `::1.2.3.4` for a mapped
 * one too, but no system does.
 */
export const parseAddress = (text: string): Address =>
  ipaddr.process(/^::\d+\./.test(text) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);

/** Whether it is a cloud's metadata service, also by way of an IPv6 transition mechanism. */
export const isMetadataAddress = (address: Address): boolean =>
  [address, ...embeddedIn(address)].some((each) => matchesAny(each, METADATA));

/**
 * Whether it belongs to one machine on the public internet. Addresses of transition mechanisms that reach IPv4 by a relay
 * (6to4, Teredo, IPv4-compatible, a network's own NAT64) do not, whatever they embed.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  if (matchesAny(address, NAT64)) return embeddedIn(address).every(isPublicAddress);
  return address.range() === 'unicast' && matchesAny(address, GLOBAL_UNICAST);
}

/** The IPv4 addresses that an IPv6 address may stand for. */
function embeddedIn(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [];
  const bytes = address.toByteArray();
  const at = (...indices: number[]): Address => ipaddr.fromByteArray(indices.map((index) => bytes[index]!));
  const last = at(12, 13, 14, 15);
  // RFC 6052: the prefix's length, which we don't know, decides where the address is.
  if (matchesAny(address, LOCAL_NAT64)) return [at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), last];
  if (matchesAny(address, NAT64) || matchesAny(address, COMPATIBLE)) return [last];
  switch (address.range()) {
    case '6to4':
      return [at(2, 3, 4, 5)];
    case 'teredo':
      return [at(4, 5, 6, 7), ipaddr.fromByteArray(last.toByteArray().map((byte) => byte ^ 0xff))];
    case 'ipv4Mapped':
    case 'rfc6145':
      return [last];
    default:
      return [];
  }
}
