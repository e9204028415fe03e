import { Logger } from '@nestjs/common';

/** What to do before the process may end. */
export interface GracefulEnd {
  through(close: () => Promise<void>): void;
}

/**
 * Ends the process on SIGTERM, SIGINT, or when its parent is gone: with code 0 after `close`, with 1 if that fails or takes
 * longer than the limit. Jobs cut off so are found by another worker.
 */
export function endGracefully(limitMs: number): GracefulEnd {
  const logger = new Logger('Process');
  let close: () => Promise<void> = async () => {};
  let ending = false;

  async function end(reason: string): Promise<void> {
    if (ending) return;
    ending = true;
    logger.log({ reason }, 'shutting down');
    setTimeout(() => {
      logger.error({ limitMs }, 'shutdown took too long');
      process.exit(1);
    }, limitMs);
    try {
      await close();
      process.exit(0);
    } catch (err) {
      logger.error({ err }, 'shutdown failed');
      process.exit(1);
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
  process.on('disconnect', () => void end('parent gone'));
  return { through: (work) => void (close = work) };
}
