// Usage: npm run bench training
// Reinforcement learning and chat over HTTP: what a user waits for, and how much of it is not the engine.
import { printTable } from '../support/table.mjs';
import { measureFirstTokens } from './first-tokens.mjs';
import { measureSteps } from './rl-steps.mjs';
import { startService } from './service.mjs';
import { measureLargeBody, measureLargeJob, measureStarts } from './jobs.mjs';

export default async function benchTraining() {
  const service = await startService();
  try {
    printTable(
      'A yes-no-maybe step: 48 prompts of 16 rollouts, training, checkpoint',
      ['s', 'a request each', 'a request a prompt', 'engine alone'],
      await measureSteps(service),
    );
    const columns = ['streams', 'p50 ms', 'p99 ms'];
    printTable('Time to first token', columns, await measureFirstTokens(service, [1, 16, 64]));
    printTable(
      'Job POST to training_started, nothing else running, ms',
      ['p50', 'p99'],
      [await measureStarts(service)],
    );
    printTable('A body of 100 MB', ['', ''], await measureLargeBody(service));
    printTable('A job of 50 MB', ['', ''], await measureLargeJob(service));
  } finally {
    await service.stop();
  }
}
