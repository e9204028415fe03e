import { lookup, Resolver } from 'node:dns/promises';

/** Finds all addresses of a host name. */
export interface HostResolver {
  /**
   * @param trusted whether the operator opened this name
   * @throws what `node:dns` throws
   */
  resolve(host: string, trusted: boolean): Promise<string[]>;
}

const TRY_MS = 2000;
const TRIES = 2;
/** The name servers' own word that there is nothing. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks the system's DNS servers. The system's own look-up (with its hosts file) is for the operator's names only: it
 * runs on a few threads, which a team's slow name server could hold up for everybody.
 */
export class SystemHostResolver implements HostResolver {
  /** @param servers name servers (address and port) in place of the system's */
  constructor(private readonly servers?: string[]) {}

  async resolve(host: string, trusted: boolean): Promise<string[]> {
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    if (trusted) return (await lookup(host, { all: true })).map(({ address }) => address);
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (this.servers) resolver.setServers(this.servers);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw failureOf(answers);
    return addresses;
  }
}

/** A server that didn't answer says more than one that has no record of this kind. */
function failureOf(answers: PromiseSettledResult<unknown>[]): Error {
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  return failures.find((error) => !NONE.has((error as NodeJS.ErrnoException).code ?? '')) ?? failures[0]!;
}
