import { startPinger } from '../support/pinger.mjs';
import { median, p99 } from '../support/quantile.mjs';

const STARTS = 200;

const trajectory = (reward, tokens) => ({
  reward,
  messages_and_choices: [
    { role: 'user', content: 'say yes' },
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'yes' },
      prompt_token_ids: [256, 10],
      token_ids: tokens,
      logprobs: {
        content: tokens.map((id) => ({ token: `token_id:${id}`, logprob: -1.25, bytes: [id], top_logprobs: [] })),
      },
    },
  ],
});

/** Milliseconds from the POST of a small job to its `training_started`, one job after the other; the first is a rehearsal. */
export async function measureStarts(service) {
  const model = await service.register('starts');
  const times = [];
  for (let i = 0; i <= STARTS; i++) {
    const groups = [{ trajectories: [trajectory(0, [121, 257]), trajectory(1, [110, 257])] }];
    const start = performance.now();
    const job = await service.call('POST', 'preview/training-jobs', { model_id: model.id, trajectory_groups: groups });
    await service.follow(job.id, 'training_started');
    if (i > 0) times.push(performance.now() - start);
    await service.follow(job.id);
  }
  return [median(times), p99(times)];
}

/** A body of 100 MB: how long it takes to arrive, and what other requests wait meanwhile. */
export async function measureLargeBody(service) {
  const { job, rows } = await post(service, 100e6);
  await service.call('POST', `preview/training-jobs/${job.id}/cancel`, {});
  return rows;
}

/** One job of 50 MB, until it is trained. */
export async function measureLargeJob(service) {
  const start = performance.now();
  const { job, rows } = await post(service, 50e6);
  await service.follow(job.id);
  return [...rows, ['trained after, s', (performance.now() - start) / 1000]];
}

async function post(service, bytes) {
  const model = await service.register(`large-${bytes}`);
  // No two of a group are equal: what is equal is computed once.
  const tokensOf = (reward) => Array.from({ length: 400 }, (_, i) => 97 + ((i + reward) % 26));
  const group = JSON.stringify({ trajectories: [0, 1, 2, 3].map((reward) => trajectory(reward, tokensOf(reward))) });
  const groups = Array.from({ length: Math.ceil(bytes / group.length) }, () => group).join(',');
  // It would learn nonsense until it diverges.
  const config = '{"learning_rate":1e-7}';
  const body = `{"model_id":"${model.id}","experimental_config":${config},"trajectory_groups":[${groups}]}`;
  const pinger = await startPinger(service, '/call/read', JSON.stringify({ project_id: 'admin/bench', id: 'none' }));
  await service.eventLoopDelay();
  const start = performance.now();
  const job = await service.call('POST', 'preview/training-jobs', body);
  const posted = performance.now() - start;
  const late = await service.eventLoopDelay();
  const rows = [
    ['MB', body.length / 1e6],
    ['answered after, s', posted / 1000],
    ['event loop late at most, ms', late.max],
    ['slowest other request meanwhile, ms', await pinger.stop()],
  ];
  return { job, rows };
}
