// What automations add to the change that they watch: the same request, in projects with none, 1,000 and 10,000 of them,
// of which one matches; in turns, so that all see the same machine.
import { printTable } from '../support/table.mjs';
import { quantile } from '../support/quantile.mjs';
import { givenVersion } from './artifact.mjs';
import { givenAutomations, givenProject, givenWebhook } from './fill.mjs';

const CHANGES = 300;
const WARM_UP = 30;

export async function benchFiring({ server, pool }) {
  const cases = [];
  for (const count of [0, 1, 1000, 10_000]) {
    const project = await givenProject(pool, 'admin', `firing-${count}`);
    const webhookId = await givenWebhook(pool, project.teamId, 9);
    const patterns = Array.from({ length: count }, (_, i) => (i === 0 ? '^alias-' : `^(stable|rc)-${i}(\\.\\d+)*$`));
    if (count > 0) await givenAutomations(pool, project, webhookId, patterns);
    cases.push({ count, version: await givenVersion(server, `admin/${project.name}`), times: [] });
  }
  for (let i = 0; i < CHANGES + WARM_UP; i++) {
    for (const { version, times } of cases) {
      const started = performance.now();
      await version.addAlias(`alias-${i}`);
      if (i >= WARM_UP) times.push(performance.now() - started);
    }
  }
  for (const { version } of cases) version.close();
  await pool.query("DELETE FROM automation_executions WHERE state = 'PENDING'");
  const [none] = cases;
  printTable(
    `An alias added over HTTP, ${CHANGES} times, ms`,
    ['automations in the project', 'p50', 'p95', 'added to p50', 'added to p95'],
    cases.map(({ count, times }) => [
      count.toLocaleString('en'),
      ...[quantile(times, 0.5), quantile(times, 0.95)],
      ...[quantile(times, 0.5) - quantile(none.times, 0.5), quantile(times, 0.95) - quantile(none.times, 0.95)],
    ]),
  );
}
