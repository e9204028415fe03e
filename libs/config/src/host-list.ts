import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

const HOST_NAME = /^(\*\.)?([a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i;

/** The entries of a comma-separated list: host names, `*.` and a domain, IP addresses, CIDRs. */
export const entriesOf = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Accepts what {@link entriesOf} may return. */
export const IsHostList = (): PropertyDecorator =>
  ValidateBy({
    name: 'isHostList',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && entriesOf(value).every(isEntry),
      defaultMessage: () => '$property must be host names, IP addresses and CIDRs, separated by commas',
    },
  });

function isEntry(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return bits === undefined && HOST_NAME.test(entry);
  if (rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
