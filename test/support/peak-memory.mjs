import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

/**
 * Bytes that were resident at most since this program began. Linux' `maxRSS` begins with what the process had that started
 * it: a worker of Jest's has hundreds of megabytes.
 */
export function peakMemory() {
  if (!existsSync(STATUS)) return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8'))[1]) * 1024;
}
