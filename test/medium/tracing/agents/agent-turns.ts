import type { GivenSpan } from '../otel/span-sender.js';

export const trace = (n: number): string => String(n).padStart(32, '0');
export const id = (n: number): string => String(n).padStart(16, '0');

/** One turn of a conversation: an agent that asks its model twice and calls a tool in between. */
export const turn = (n: number, { question = 'Weather?', answer = 'Sunny.', agent = 'helper' } = {}): GivenSpan[] => {
  const [first, second] = [100 * n, 100 * n + 60];
  const spans = [
    {
      id: id(first),
      name: `invoke_agent ${agent}`,
      attributes: {
        ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent, 'gen_ai.agent.version': `v${n}` },
        // What its model calls say, once more.
        ...{ 'gen_ai.usage.input_tokens': 30, 'gen_ai.usage.output_tokens': 3, 'gen_ai.conversation.id': 'chat-1' },
      },
    },
    {
      id: id(first + 1),
      parent: id(first),
      name: 'chat m',
      attributes: {
        ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.provider.name': 'p' },
        ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 1, 'team.size': 3, 'team.name': 'x' },
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: question }] }]),
        'gen_ai.output.messages': JSON.stringify([
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', name: 'weather', arguments: {} }],
            finish_reason: 'tool_call',
          },
        ]),
      },
    },
    {
      id: id(first + 2),
      parent: id(first),
      name: 'execute_tool weather',
      attributes: {
        ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather', 'gen_ai.tool.call.id': 'call-1' },
        ...{ 'gen_ai.tool.call.arguments': '{"city": "Paris"}', 'gen_ai.tool.call.result': '20°' },
      },
    },
    {
      id: id(second),
      parent: id(first),
      name: 'chat m',
      attributes: {
        ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.provider.name': 'p' },
        ...{ 'gen_ai.usage.input_tokens': 20, 'gen_ai.usage.output_tokens': 2, ratio: 0.5 },
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: question }] },
          { role: 'assistant', parts: [{ type: 'tool_call', name: 'weather' }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', result: '20°' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }] }]),
      },
    },
  ] as GivenSpan[];
  return spans.map((span, i) => ({ ...span, at: 10_000 * n + i, wire: { traceId: trace(n), ...span.wire } }));
};
