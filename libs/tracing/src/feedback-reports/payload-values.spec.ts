import { numbersOf, PayloadPaths, slugOf, valueOf } from './payload-values.js';

describe('Values in payloads of feedback', () => {
  const payload = '{"output": {"score": 0.5, "passed": true, "why": "x", "none": null, "list": [1]}}';

  it.each([
    ['output.score', 'numeric', 0.5],
    ['output.passed', 'boolean', 1],
    ['output.passed', 'numeric', undefined],
    ['output.score', 'boolean', undefined],
    ['output.why', 'categorical', 1],
    ['output.none', 'categorical', undefined],
    ['output.missing.deep', 'numeric', undefined],
  ] as const)('%s, as %s, is %s', (json_path, value_type, value) => {
    expect(valueOf(payload, { json_path, value_type })).toBe(value);
  });

  it('are summed up as asked for, or as their type says', () => {
    const metric = { json_path: 'output.score' };
    expect(numbersOf(metric, [1, 3])).toEqual([
      ['avg', 2],
      ['min', 1],
      ['max', 3],
    ]);
    expect(numbersOf({ ...metric, aggregations: ['sum', 'count'], percentiles: [50] }, [1, 2, 9])).toEqual([
      ['sum', 12],
      ['count', 3],
      ['p50', 2],
    ]);
    expect(numbersOf({ ...metric, value_type: 'boolean' }, [1, 0, 1])).toEqual([
      ['count_true', 2],
      ['count_false', 1],
    ]);
    expect(numbersOf(metric, [])).toEqual([
      ['avg', null],
      ['min', null],
      ['max', null],
    ]);
    expect(slugOf(metric)).toBe('output_score');
  });

  it('have the type that all of them have', () => {
    const paths = new PayloadPaths();
    paths.add(payload);
    paths.add('{"output": {"score": "high", "passed": null, "a b": 1}, "note": 1}');
    expect(paths.paths).toEqual([
      { json_path: 'note', value_type: 'numeric' },
      { json_path: 'output.none', value_type: 'numeric' },
      { json_path: 'output.passed', value_type: 'boolean' },
      { json_path: 'output.score', value_type: 'categorical' },
      { json_path: 'output.why', value_type: 'categorical' },
    ]);
  });
});
