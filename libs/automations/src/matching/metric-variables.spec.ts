import { metricCondition } from './metric-condition.js';
import { metricVariables } from './metric-variables.js';

/** As it is stored until it is sent. */
const variablesOf = (values: number[]): unknown => {
  const condition = metricCondition('RUN_METRIC_NOT_FINITE', { name: 'loss' })!;
  return JSON.parse(JSON.stringify(metricVariables(condition, condition.judge({ values, before: 0, after: 0 }))));
};

describe('what a payload may say of a metric', () => {
  const said = { metric_name: 'loss', metric_filter: 'loss is not finite', metric_filter_short: 'loss is not finite' };

  it.each(['NaN', 'Infinity', '-Infinity'])('says %s in words', (word) => {
    expect(variablesOf([Number(word)])).toEqual({
      ...said,
      metric_value: word,
      metric_values: [word],
      metric_current_status: `${word} is not finite`,
      threshold: null,
    });
  });

  it('has nothing where there are no values', () => {
    expect(variablesOf([])).toMatchObject({ ...said, metric_value: null, metric_values: [] });
  });
});
