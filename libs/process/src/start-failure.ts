/** A file of settings with several faults: a line for each. */
const linesOf = (error: Error): readonly unknown[] | null =>
  'lines' in error && Array.isArray(error.lines) ? (error.lines as unknown[]) : null;

/** What the system says of an address, in the words of the settings. */
const ADDRESS_FAULTS: Readonly<Record<string, (address: string, port: number, setting: string) => string>> = {
  EADDRINUSE: (address, port, setting) =>
    `The address is in use: ${address}:${port}. End what listens there, or set ${setting} to another port`,
  EACCES: (address, port, setting) =>
    `Port ${port} on ${address} is not for this user: set ${setting} to one above 1023`,
  EADDRNOTAVAIL: (address) => `${address} is no address of this machine: set HOST`,
  ENOTFOUND: (address) => `${address} is no address of this machine: set HOST`,
};

/**
 * Misconfiguration (named errors and the system's, all with a code) is one clear line; a fault of ours shows where.
 * @param portSetting names the port that the process listens on
 */
export function describeStartFailure(error: unknown, portSetting = 'PORT'): string {
  if (!(error instanceof Error)) return String(error);
  const lines = linesOf(error);
  if (lines) return lines.join('\n');
  const { code = '', syscall, address, port, hostname } = error as NodeJS.ErrnoException & Record<string, unknown>;
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const told = ADDRESS_FAULTS[code]?.(String(address ?? hostname), Number(port), portSetting);
    if (told) return told;
  }
  return 'code' in error ? error.message.replace(/\s*\n\s*/g, ' ') : (error.stack ?? error.message);
}
