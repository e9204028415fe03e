import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What an injectable may be: `<noun>.<role>.ts` holds `class <Noun><Role>`, so that either is found by the other. */
const ROLES = [
  'cache',
  'clock',
  'connection',
  'controller',
  'filter',
  'guard',
  'handler',
  'interceptor',
  'limits',
  'middleware',
  'part',
  'pipe',
  'pump',
  'queue',
  'reader',
  'registry',
  'relay',
  'repository',
  'router',
  'runner',
  'sender',
  'service',
  'slots',
  'state',
  'store',
  'strategy',
  'stream',
  'tracer',
  'worker',
  'writer',
];

/** Injectables that are still named otherwise: a list that only gets shorter. */
const OTHERWISE = [
  'libs/tracing/src/tables/table-reader.ts',
  'libs/wandb/src/graphql/graphql-services.ts',
  'libs/wandb/src/transfers/url-signer.ts',
];

const INJECTED = /^@(Injectable|Controller|Catch|Processor|TracingController)\(/m;

const sources = ['apps', 'libs']
  .flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.(spec|d)\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const className = (file: string) => basename(file, '.ts').split(/[.-]/).map(capital).join('');
const roleOf = (file: string) => basename(file, '.ts').split('.').at(-1)!;
const classesOf = (text: string) => [...text.matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name]) => name!);

const isWrong = ({ file, text }: { file: string; text: string }): boolean => {
  const isInjected = INJECTED.test(text);
  if (isInjected && !ROLES.includes(roleOf(file))) return true;
  // A reader may be a function: it needs nothing injected.
  const hasRole = isInjected || /\.(service|repository|controller|guard|handler|strategy|store|cache)\.ts$/.test(file);
  return hasRole && !classesOf(text).includes(className(file));
};

describe('what is injected', () => {
  it('has its role in its name, and its class is called as its file is', () => {
    const wrong = sources.filter(isWrong).map(({ file }) => file);
    expect(wrong.filter((file) => !OTHERWISE.includes(file))).toEqual([]);
    expect(OTHERWISE.filter((file) => !wrong.includes(file))).toEqual([]);
  });

  it('is found by what this looks for', () => {
    expect(sources.filter(({ text }) => INJECTED.test(text)).length).toBeGreaterThan(150);
  });
});
