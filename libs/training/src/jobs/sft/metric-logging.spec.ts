import { readMetricLogging } from './metric-logging.js';

const read = (metric_logging?: unknown) => readMetricLogging({ metric_logging }, ['body', 'config']);

describe('readMetricLogging', () => {
  it.each([[undefined], [null], [{}], [{ enabled: false, target_training_step: 3 }], [{ enabled: null }]])(
    'takes %j for none',
    (value) => {
      expect(read(value)).toBeNull();
    },
  );

  it('reads at which step', () => {
    expect(read({ enabled: true, target_training_step: 3, later: 1 })).toEqual({ step: 3 });
    expect(read({ enabled: true, target_training_step: null })).toEqual({ step: null });
  });

  it.each<[unknown, string]>([
    [true, 'body.config.metric_logging'],
    [{ enabled: 'yes' }, 'body.config.metric_logging.enabled'],
    [{ enabled: true, target_training_step: 1.5 }, 'body.config.metric_logging.target_training_step'],
  ])('names what is wrong in %j', (value, place) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({ detail: [expect.objectContaining({ loc: place.split('.') })] }),
    );
  });
});
