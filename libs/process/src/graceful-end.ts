import { Logger } from '@nestjs/common';

/** What to do before the process may end. */
export interface GracefulEnd {
  through(steps: EndSteps): void;
}

interface EndSteps {
  /** After SIGTERM, which comes from whoever also stops sending work; a second signal cuts it short. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Ends the process on SIGTERM, SIGINT, or when its parent is gone: with code 0 after `close`, with 1 if that fails or takes
 * longer than the limit. Jobs cut off so are found by another worker.
 */
export function endGracefully({ limitMs, drainMs }: { limitMs: number; drainMs: number }): GracefulEnd {
  const logger = new Logger('Process');
  let steps: EndSteps = { drain: async () => {}, close: async () => {} };
  let ending = false;
  let hurry: () => void = () => undefined;
  const hurried = new Promise<void>((resolve) => (hurry = resolve));

  async function end(reason: string): Promise<void> {
    if (ending) return hurry();
    ending = true;
    logger.log({ reason }, 'shutting down');
    const drains = reason === 'SIGTERM' && drainMs > 0;
    setTimeout(
      () => {
        logger.error({ limitMs }, 'shutdown took too long');
        process.exit(1);
      },
      limitMs + (drains ? drainMs : 0),
    );
    try {
      if (drains) await Promise.race([steps.drain(), hurried]);
      await steps.close();
      process.exit(0);
    } catch (err) {
      logger.error({ err }, 'shutdown failed');
      process.exit(1);
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
  process.on('disconnect', () => void end('parent gone'));
  return { through: (given) => void (steps = given) };
}
