import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Env } from '@heddle/config';

interface Service {
  environment: Record<string, string>;
  env_file?: { path: string }[];
  read_only?: boolean;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  profiles?: string[];
  command?: string[];
  volumes?: string[];
}

const text = readFileSync('docker-compose.yml', 'utf8');
const { services } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
};
const namesOf = (process: string): string[] =>
  Object.keys(services).filter((name) => services[name]!.command?.includes(`dist/apps/${process}/src/main.js`));
const [apis, workers] = [namesOf('api'), namesOf('worker')];
const ours = [...apis, ...workers].map((name) => services[name]!);
/** What `${NAME:-default}` and `${NAME:?why}` give with these settings. */
const resolved = (service: Service, given: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [
      name,
      String(value).replace(
        /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
        (_, key: string, kind: string, rest: string) => given[key] ?? (kind === '-' ? rest : ''),
      ),
    ]),
  );

describe('docker-compose.yml', () => {
  it('gives all processes settings that they start with, whatever the password holds', () => {
    const given = {
      POSTGRES_PASSWORD: 'a/b#c?d@e:f%g',
      ADMIN_API_KEY: 'k'.repeat(40),
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    };
    for (const service of ours) {
      const environment = resolved(service, given);
      expect(() => Env.from(environment)).not.toThrow();
      expect(environment['PGPASSWORD']).toBe(given.POSTGRES_PASSWORD);
    }
  });

  it('asks for nothing that is not told of: in .env.example, or at its top what has to be set', () => {
    const asked = [...text.matchAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g)];
    const examples = new Set([...readFileSync('.env.example', 'utf8').matchAll(/^(\w+)=/gm)].map(([, name]) => name!));
    const [intro] = text.split('x-heddle:');
    const [, wanted] = /and set (.*?) \(any/s.exec(intro!)!;
    const required = asked.filter(([, , kind]) => kind === '?').map(([, name]) => name!);
    expect([...new Set(required)].sort()).toEqual(wanted!.match(/[A-Z_]+/g)!.sort());
    const optional = asked.filter(([, , kind]) => kind !== '?').map(([, name]) => name!);
    expect(optional.filter((name) => !examples.has(name))).toEqual([]);
  });

  it('passes every other setting of .env on', () => {
    for (const { env_file: files } of ours) expect(files?.map(({ path }) => path)).toEqual(['.env']);
  });

  it('starts one of each, and in the profile `many` three, of which the new ones go by PgBouncer', () => {
    const profiles = [...apis, ...workers].map((name) => services[name]!.profiles ?? []);
    expect(profiles).toEqual([[], ['many'], ['many'], [], ['many'], ['many']]);
    const given = { ADMIN_API_KEY: 'k'.repeat(40), SECRETS_KEY: Buffer.alloc(32).toString('base64') };
    const pooled = ours.map((service) => Env.from(resolved(service, given)).isDatabasePooled);
    expect(pooled).toEqual([false, true, true, false, true, true]);
  });

  it('has every API behind the balancer, and everything scraped', () => {
    const balancer = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8');
    expect([...balancer.matchAll(/^ *server (\S+) (\S+)$/gm)].map(([, , address]) => address)).toEqual(
      apis.map((name) => `${name}:3000`),
    );
    const prometheus = readFileSync('deploy/prometheus/prometheus.yml', 'utf8');
    expect([...prometheus.matchAll(/'([\w-]+):300[01]'/g)].map(([, name]) => name)).toEqual([...apis, ...workers]);
  });

  it('leaves writers connections of PgBouncer, however many answers are read slowly', () => {
    const [, size] = /^default_pool_size = (\d+)$/m.exec(readFileSync('deploy/pgbouncer/pgbouncer.ini', 'utf8'))!;
    expect(Number(size)).toBeGreaterThan((new Env().DATABASE_POOL_SIZE / 2) * apis.length);
  });

  it('mounts files that are there', () => {
    const paths = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!));
    const files = paths.filter((path) => path.startsWith('./deploy/'));
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('lets processes write to their data alone, and end in their own time', () => {
    for (const service of ours) {
      const { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS } = Env.from({
        ...resolved(service, { SECRETS_KEY: Buffer.alloc(32).toString('base64'), ADMIN_API_KEY: 'k'.repeat(40) }),
      });
      expect(service.read_only).toBe(true);
      expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(DRAIN_SECONDS + SHUTDOWN_TIMEOUT_SECONDS);
    }
  });

  it('knows of every service whether it is well', () => {
    expect(Object.values(services).filter(({ healthcheck }) => !healthcheck)).toEqual([]);
  });
});
