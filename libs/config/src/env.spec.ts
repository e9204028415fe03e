import { availableParallelism } from 'node:os';
import { InvalidEnvError } from './config.errors.js';
import { Env } from './env.js';

const problemsOf = (source: Record<string, string>): readonly string[] => {
  try {
    Env.from(source);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvError);
    return (error as InvalidEnvError).problems;
  }
};

describe('Env', () => {
  it('needs nothing: every setting has a default or may be absent', () => {
    expect(Env.from({})).toEqual(new Env());
  });

  it('reads numbers from text', () => {
    expect(Env.from({ PORT: '8080' }).PORT).toBe(8080);
  });

  it('takes an empty value for an absent one', () => {
    expect(Env.from({ PORT: '', DATABASE_URL: '' })).toEqual(new Env());
  });

  it('ignores what is not a setting', () => {
    expect(Env.from({ PATH: '/bin', HOME: '/' })).toEqual(new Env());
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['NODE_ENV', 'staging'],
    ['DATABASE_URL', 'mysql://localhost/heddle'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/heddle'],
    ['DATABASE_DIRECT_URL', 'postgres://heddle:pa/ss@db.example/heddle'],
    ['REDIS_URL', 'localhost:6379'],
    ['ADMIN_API_KEY', 'short'],
    ['SECRETS_KEY', 'not base64'],
    ['SECRETS_KEY_PREVIOUS', 'not base64'],
    ['WEBHOOK_ALLOWED_HOSTS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOWED_HOSTS', '::1/129'],
    ['WEBHOOK_ALLOWED_HOSTS', 'corp.example/24'],
    ['WEBHOOK_ALLOWED_HOSTS', 'http://corp.example'],
    ['WEBHOOK_ALLOWED_HOSTS', '*'],
    ['HF_ENDPOINT', 'huggingface.co'],
    ['HF_TOKEN', 'hf_ with spaces'],
    ['HF_HUB_OFFLINE', 'maybe'],
    ['QUEUE_PREFIX', 'Robert"); DROP TABLE calls; --'],
  ])('names a bad %s (%s)', (name, value) => {
    expect(problemsOf({ [name]: value }).join()).toContain(name);
  });

  it.each(['pa/ss', 'pa#ss', 'pa?ss', '12/3', '12#3', 'p@ss/w', 'per%cent'])(
    'says how to write a password as %s in DATABASE_URL, and never shows it',
    (password) => {
      const problems = problemsOf({ DATABASE_URL: `postgres://heddle:${password}@db.example:5432/heddle` });
      if (password !== 'per%cent') expect(problems).toEqual([expect.stringContaining('DATABASE_URL')]);
      expect(problems.join()).not.toContain(password);
      const url = `postgres://heddle:${encodeURIComponent(password)}@db.example:5432/heddle`;
      expect(problemsOf({ DATABASE_URL: url })).toEqual([]);
    },
  );

  it.each(['postgres:///heddle?host=/var/run/postgresql', 'postgres://heddle@db/heddle?sslmode=require'])(
    'takes DATABASE_URL without a password: %s',
    (url) => expect(problemsOf({ DATABASE_URL: url })).toEqual([]),
  );

  it('goes by a pooler where one is named beside the database itself', () => {
    const [pooler, direct] = ['postgres://heddle@pooler/heddle', 'postgres://heddle@db/heddle'];
    const pooled = Env.from({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct });
    expect([pooled.isDatabasePooled, pooled.directDatabaseUrl]).toEqual([true, direct]);
    const alone = Env.from({ DATABASE_URL: direct });
    expect([alone.isDatabasePooled, alone.directDatabaseUrl]).toEqual([false, direct]);
    expect(problemsOf({ DATABASE_DIRECT_URL: direct })).toEqual(['DATABASE_DIRECT_URL needs DATABASE_URL']);
  });

  it('names every bad setting at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' })).toHaveLength(2);
  });

  it('never shows the value of a bad secret', () => {
    expect(problemsOf({ ADMIN_API_KEY: 'hunter2' }).join()).not.toContain('hunter2');
  });

  it('has nothing embedded and no default secrets in production', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'DATABASE_URL is required in production',
      'SECRETS_KEY is required in production',
    ]);
  });

  it('gives the engine one thread for each core, up to four, unless told otherwise', () => {
    expect(new Env().engineThreads).toBe(Math.min(availableParallelism(), 4));
    expect(Env.from({ ENGINE_THREADS: '7' }).engineThreads).toBe(7);
  });

  it.each([
    ['0', false],
    ['1', true],
    ['TRUE', true],
    ['off', false],
  ])('reads HF_HUB_OFFLINE=%s as the client of the hub does', (value, offline) => {
    expect(Env.from({ HF_HUB_OFFLINE: value }).isHubOffline).toBe(offline);
  });

  it('leaves the engine memory beside its caches', () => {
    expect(problemsOf({ ENGINE_CACHE_MB: '1024', ENGINE_MEMORY_MB: '1024' })).toEqual([
      'ENGINE_CACHE_MB must be at most half of ENGINE_MEMORY_MB',
    ]);
  });

  it('reads the receivers that webhooks may reach', () => {
    const list = '127.0.0.0/8, ::1,receiver.corp.example,*.lab.example';
    expect(Env.from({ WEBHOOK_ALLOWED_HOSTS: list }).webhookAllowedHosts).toEqual([
      '127.0.0.0/8',
      '::1',
      'receiver.corp.example',
      '*.lab.example',
    ]);
    expect(new Env().webhookAllowedHosts).toEqual([]);
  });

  it('links to where it listens unless told otherwise', () => {
    expect(Env.from({ PORT: '8080' }).publicUrl).toBe('http://127.0.0.1:8080');
    expect(Env.from({ PUBLIC_URL: 'https://heddle.example.com/' }).publicUrl).toBe('https://heddle.example.com');
  });
});
