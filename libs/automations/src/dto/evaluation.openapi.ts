/** Events to try an automation out with. Ids of events that happened are everybody's own, so there is none among them. */
export const SAMPLE_EXAMPLES = {
  'an artifact': {
    value: {
      alias: 'production',
      tag: 'approved',
      collection_name: 'chat-model',
      artifact_type: 'model',
      artifact_metadata: { accuracy: 0.93 },
    },
  },
  'a metric of a run': { value: { user: 'ada', run_name: 'nightly-42', metric_values: [0.81, 0.93] } },
  'a metric that is no number any more': { value: { run_name: 'nightly-42', metric_values: [0.81, 'NaN'] } },
  'a state of a run or a training job': { value: { user: 'ada', run_name: 'nightly-42', state: 'FAILED' } },
};
