import { indexJsonSync } from '@heddle/json';
import { readSpan } from './read-span.js';
import { spanToCall } from './span-to-call.js';
import type { NewCall } from '../store/new-call.js';

type Value = string | number | boolean | object;

const anyValue = (value: Value): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return value;
};
const keyValues = (attributes: Record<string, Value>): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const aSpan = (attributes: Record<string, Value> = {}, more: object = {}): object => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'chat',
  startTimeUnixNano: '1764244800123456789',
  endTimeUnixNano: '1764244801500000999',
  attributes: keyValues(attributes),
  ...more,
});

function newCallOf(span: object | string): NewCall {
  const node = indexJsonSync(Buffer.from(typeof span === 'string' ? span : JSON.stringify(span)));
  return spanToCall(readSpan(node), { entity: 'acme', name: 'demo' }, new Map(), node.text());
}

/** What is said of the call, payloads parsed. */
function callOf(span: object | string): Record<string, unknown> {
  const { id, start, end } = newCallOf(span);
  const said = Object.entries({ id, ...start, ...end }).map(([name, value]: [string, unknown]) => {
    const isPayload = ['attributes', 'inputs', 'output', 'summary', 'otel_dump'].includes(name);
    return [name, isPayload && typeof value === 'string' ? (JSON.parse(value) as unknown) : value];
  });
  return Object.fromEntries(said) as Record<string, unknown>;
}

describe('spanToCall', () => {
  it('keeps ids, name and times, to the microsecond', () => {
    expect(callOf(aSpan({}, { parentSpanId: '00F067AA0BA902B7' }))).toMatchObject({
      id: 'b7ad6b7169203331',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      parent_id: '00f067aa0ba902b7',
      op_name: 'chat',
      started_at: 1764244800123456n,
      ended_at: 1764244801500000n,
      exception: null,
      inputs: {},
      output: null,
      summary: {},
    });
  });

  it('keeps the span as it came', () => {
    const span = aSpan({ 'http.method': 'GET' }, { kind: 3, links: [] });
    expect(callOf(span)['otel_dump']).toEqual(span);
  });

  it('is a start while the span is running', () => {
    const call = callOf(aSpan({}, { endTimeUnixNano: '0' }));
    expect(call).not.toHaveProperty('ended_at');
    expect(call).not.toHaveProperty('output');
  });

  it('nests attributes', () => {
    const call = callOf(aSpan({ 'http.method': 'GET', 'http.status': 200, ratio: 0.5, ok: true }));
    expect(call['attributes']).toEqual({ http: { method: 'GET', status: 200 }, ratio: 0.5, ok: true });
  });

  it('loses no digit of an integer', () => {
    const numbers =
      '"attributes":[{"key":"n","value":{"intValue":9223372036854775807}},{"key":"m","value":{"intValue":"-9007199254740993"}}]';
    const { start } = newCallOf(JSON.stringify(aSpan()).replace('"attributes":[]', numbers));
    expect(start?.attributes).toBe('{"n":9223372036854775807,"m":-9007199254740993}');
  });

  it('writes what JSON has no number for as text', () => {
    expect(callOf(aSpan({ nan: { doubleValue: 'NaN' }, far: { doubleValue: '-Infinity' } }))['attributes']).toEqual({
      nan: 'NaN',
      far: '-Infinity',
    });
  });

  describe('by the GenAI conventions', () => {
    const call = callOf(
      aSpan({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.request.temperature': 0.2,
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 34,
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
        'gen_ai.output.messages': '[{"role":"assistant","seed":12345678901234567890}]',
        'gen_ai.conversation.id': 'conversation-1',
      }),
    );

    it('finds the messages', () => {
      expect(call['inputs']).toEqual({
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }],
      });
      expect(call['output']).toHaveProperty(['gen_ai.output.messages', 0, 'role'], 'assistant');
      expect(call).not.toHaveProperty('attributes.gen_ai.input');
    });

    it('counts the tokens of the model that answered', () => {
      expect(call['summary']).toEqual({
        usage: { 'gpt-4o-2024-08-06': { requests: 1, input_tokens: 12, output_tokens: 34 } },
      });
    });

    it('names model, provider, operation and parameters', () => {
      expect(call['attributes']).toMatchObject({
        model: 'gpt-4o-2024-08-06',
        provider: 'openai',
        operation: 'chat',
        model_parameters: { model: 'gpt-4o', temperature: 0.2 },
        gen_ai: { request: { model: 'gpt-4o' } },
      });
      expect(call['thread_id']).toBe('conversation-1');
    });
  });

  it('reads prompts and completions that are spread over numbered keys', () => {
    const call = callOf(
      aSpan({
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief.',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.completion.0.content': 'Yes.',
        'gen_ai.usage.prompt_tokens': '7',
      }),
    );
    expect(call['inputs']).toEqual({ 'gen_ai.prompt': [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] });
    expect(call['output']).toEqual({ 'gen_ai.completion': [{ content: 'Yes.' }] });
    expect(call['summary']).toEqual({ usage: { usage: { requests: 1, prompt_tokens: 7 } } });
  });

  it('reads OpenInference and Traceloop', () => {
    const inference = callOf(
      aSpan({
        'input.value': '{"q": 1.50}',
        'output.value': 'plain',
        'llm.model_name': 'm',
        'llm.token_count.total': 3,
      }),
    );
    expect(inference).toMatchObject({
      inputs: { 'input.value': { q: 1.5 } },
      output: { 'output.value': 'plain' },
      summary: { usage: { m: { total_tokens: 3 } } },
    });
    const traceloop = callOf(aSpan({ 'traceloop.entity.input': '{', 'traceloop.span.kind': 'tool' }));
    expect(traceloop).toMatchObject({ inputs: { 'traceloop.entity.input': '{' }, attributes: { kind: 'tool' } });
  });

  it('lets plain inputs and outputs stand alone', () => {
    expect(callOf(aSpan({ inputs: '{"a": 1}', output: '[1]' }))).toMatchObject({ inputs: { a: 1 }, output: [1] });
    expect(callOf(aSpan({ input: 'text' }))['inputs']).toEqual({ input: 'text' });
  });

  it('reads messages that are events', () => {
    const event = (name: string, attributes: Record<string, Value>): object => ({
      name,
      attributes: keyValues(attributes),
    });
    const call = callOf(
      aSpan(
        {},
        {
          events: [
            event('gen_ai.system.message', { content: 'Be brief.' }),
            event('gen_ai.user.message', { content: '{"text":"hi"}' }),
            event('gen_ai.choice', { index: 0, finish_reason: 'stop' }),
          ],
        },
      ),
    );
    expect(call['inputs']).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: { text: 'hi' } },
      ],
    });
    expect(call['output']).toEqual({ choices: [{ index: 0, finish_reason: 'stop' }] });
    const details = event('gen_ai.client.inference.operation.details', { 'gen_ai.input.messages': '[]' });
    expect(callOf(aSpan({}, { events: [details] }))['inputs']).toEqual({ 'gen_ai.input.messages': [] });
  });

  it.each([
    ['its message', { status: { code: 2, message: 'boom' } }, 'boom'],
    [
      'the exception that it recorded',
      {
        status: { code: 'STATUS_CODE_ERROR' },
        events: [
          { name: 'exception', attributes: keyValues({ 'exception.type': 'KeyError', 'exception.message': 'x' }) },
        ],
      },
      'KeyError: x',
    ],
    ['the bare fact', { status: { code: 2 } }, 'Error'],
    ['nothing, if it is no error', { status: { code: 1, message: 'fine' } }, null],
  ])('takes from the status %s', (_what, more, exception) => {
    expect(callOf(aSpan({}, more))['exception']).toBe(exception);
  });

  it("reads the platform's own attributes", () => {
    const call = callOf(
      aSpan({
        'wandb.display_name': 'Shown',
        'wandb.thread_id': 't',
        'wandb.is_turn': true,
        'wandb.wb_run_id': 'run1',
        'wandb.wb_run_step': 5,
        'wandb.attributes': { kvlistValue: { values: keyValues({ tag: 'x' }) } },
      }),
    );
    expect(call).toMatchObject({
      display_name: 'Shown',
      thread_id: 't',
      turn_id: 'b7ad6b7169203331',
      wb_run_id: 'acme/demo/run1',
      wb_run_step: 5n,
      attributes: { tag: 'x' },
    });
  });
});
