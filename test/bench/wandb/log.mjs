// A training loop that logs, SDK included, beside the same one that only writes to its own disk, and, with MLFLOW, beside
// MLflow's client in its fastest way. In turns.
import { median } from '../support/quantile.mjs';
import { printTable } from '../support/table.mjs';
import { runProgram } from './program.mjs';

export async function benchLog(server, { python, mlflow, folder, steps, metrics = 20, rounds = 3 }) {
  const contenders = [
    { name: 'the SDK offline', python, args: ['offline', 'bench'] },
    { name: 'the SDK and Heddle', python, args: ['online', 'bench'] },
    ...(mlflow ? [{ name: "MLflow's log_batch", python: mlflow.python, args: ['mlflow', mlflow.url] }] : []),
  ];
  const seconds = contenders.map(() => []);
  // The first round warms up, and doesn't count.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, contender] of contenders.entries()) {
      const took = await runProgram(server, contender.python, folder, 'log.py', ...contender.args, steps, metrics);
      if (round > 0) seconds[i].push(took.seconds);
    }
  }
  const medians = seconds.map(median);
  printTable(
    `run.log of ${steps} steps of ${metrics} metrics, init to finish, median of ${rounds} rounds`,
    ['', 'seconds', 'lowest', 'highest', 'values/s', 'ratio'],
    contenders.map(({ name }, i) => [
      name,
      medians[i],
      Math.min(...seconds[i]),
      Math.max(...seconds[i]),
      (steps * metrics) / medians[i],
      medians[i] / medians[0],
    ]),
  );
}
