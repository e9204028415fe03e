import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { TestSystem } from '../medium/health/test-system.js';

const RULES = 'deploy/prometheus/heddle.rules.yml';
const DASHBOARD = 'deploy/grafana/heddle.json';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

describe('Prometheus', () => {
  let database: TestDatabase;
  let system: TestSystem;
  let scraped: string;
  beforeAll(async () => {
    database = await createDatabase();
    system = await TestSystem.start({ DATABASE_URL: database.url });
    scraped = (await system.get('/metrics')).text;
  }, 60_000);
  afterAll(async () => {
    await system.close();
    await database.drop();
  });

  /** Names of metrics in an expression of Heddle's own. */
  const namesIn = (text: string): string[] => [
    ...new Set(text.match(/\b(heddle|http|pg|nodejs|process|queue)_[a-z0-9_]+(?=[{[) \n]|$)/g) ?? []),
  ];
  const families = (): Set<string> => new Set([...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const unknownIn = (text: string): string[] =>
    namesIn(text).filter((name) => !families().has(name.replace(/_(bucket|count|sum)$/, '')) && !families().has(name));

  it('finds nothing to object to in the names, types and helps of what is scraped', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: scraped,
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  it('fires each alert when it should, and none when all is well', () => {
    execFileSync('promtool', ['check', 'rules', RULES]);
    const test = spawnSync('promtool', ['test', 'rules', 'deploy/prometheus/heddle.rules.test.yml'], {
      encoding: 'utf8',
    });
    expect([test.status, test.stdout]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('reads the configuration of docker-compose.yml', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml']);
    expect([status, String(stderr)]).toEqual([0, '']);
  });

  it('has a test of every alert', () => {
    const tests = readFileSync('deploy/prometheus/heddle.rules.test.yml', 'utf8');
    const alerts = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter((name) => !tests.includes(`alertname="${name}"`))).toEqual([]);
  });

  it('scrapes whatever the rules and the dashboard look at', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
    expect(namesIn(readFileSync(RULES, 'utf8')).length).toBeGreaterThan(5);
    expect(unknownIn(readFileSync(RULES, 'utf8'))).toEqual([]);
    for (const { title, targets } of panels)
      for (const { expr } of targets) expect([title, expr, unknownIn(expr)]).toEqual([title, expr, []]);
  });
});
