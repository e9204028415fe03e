import { readFileSync } from 'node:fs';
import { Env } from '@heddle/config';

const example = new Map(
  readFileSync('.env.example', 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

describe('.env.example', () => {
  it('lists the settings of Env and no others', () => {
    expect([...example.keys()].sort()).toEqual(Object.keys(new Env()).sort());
  });

  it('shows each default, and nothing where there is none', () => {
    for (const [name, value] of Object.entries(new Env()))
      expect([name, example.get(name)]).toEqual([name, String(value ?? '')]);
  });

  it('is itself a valid environment', () => {
    expect(Env.from(Object.fromEntries(example))).toEqual(new Env());
  });
});
