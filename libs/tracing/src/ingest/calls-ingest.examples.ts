export const startExample = {
  project_id: 'acme/support',
  id: '0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11',
  trace_id: '0194f2a0-7c1e-7a31-8b0a-55b1c9d0e7aa',
  op_name: 'answer_question',
  started_at: '2026-01-31T12:00:00.123456Z',
  attributes: {},
  inputs: { question: 'Where is my order?' },
};

export const endExample = {
  project_id: 'acme/support',
  id: '0194f2a0-7c1e-7a30-9d5b-2f4f6c1f8e11',
  ended_at: '2026-01-31T12:00:01.654321Z',
  output: 'On its way.',
  summary: { usage: { 'gpt-4o-mini': { requests: 1, prompt_tokens: 12, completion_tokens: 4 } } },
};

export const completeExample = { ...startExample, ...endExample };
