import { parseCallField } from './call-field.js';

const parse = (name: string): unknown => parseCallField(name, ['body']);

describe('parseCallField', () => {
  it('knows the fields of a call by type', () => {
    expect(parse('op_name')).toEqual({ kind: 'text', column: 'op_name' });
    expect(parse('started_at')).toEqual({ kind: 'time', column: 'started_at' });
    expect(parse('wb_run_step')).toEqual({ kind: 'number', column: 'wb_run_step' });
    expect(parse('summary.weave.latency_ms')).toEqual({ kind: 'computed', name: 'latency_ms' });
  });

  it.each([
    ['inputs', []],
    ['inputs.a.0.b', ['a', '0', 'b']],
    ['inputs.a\\.b.c', ['a.b', 'c']],
    ['inputs.a..b', ['a', '', 'b']],
    ['inputs.a\\b', ['a\\b']],
    ["inputs.'; DROP TABLE calls; --", ["'; DROP TABLE calls; --"]],
  ])('splits the path of %s', (name, path) => {
    expect(parse(name)).toEqual({ kind: 'payload', column: 'inputs', path, name });
  });

  it.each(['', 'id.x', 'nothing', 'project_id', 'constructor', '.inputs', 'c.id', 'inputs\\.a'])(
    'refuses %j',
    (name) => {
      expect(() => parse(name)).toThrow('Calls have no such field');
    },
  );

  it('refuses a name of unreasonable length', () => {
    expect(() => parse(`inputs.${'a'.repeat(2000)}`)).toThrow('too long');
  });
});
