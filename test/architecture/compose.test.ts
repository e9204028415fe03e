import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Env } from '@heddle/config';

interface Service {
  environment: Record<string, string>;
  env_file?: { path: string }[];
  read_only?: boolean;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
}

const text = readFileSync('docker-compose.yml', 'utf8');
const { services } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
};
const ours = ['api', 'worker'].map((name) => services[name]!);
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
  it('gives both processes settings that they start with, whatever the password holds', () => {
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
