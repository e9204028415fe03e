import { type ChatRequest, readChatRequest } from './chat-request.js';

const messages = [{ role: 'user', content: 'hi' }];
const read = (fields: object = {}): ChatRequest =>
  readChatRequest(Buffer.from(JSON.stringify({ model: 'm', messages, ...fields })));
const refusal = (param: string | null, words: string) =>
  expect.objectContaining({ status: 400, param, message: expect.stringContaining(words) });
const tool = (name: string) => ({ type: 'function', function: { name } });

const allowed = (allowed_tools: object) => ({
  tools: [tool('a')],
  tool_choice: { type: 'allowed_tools', allowed_tools },
});

describe('readChatRequest', () => {
  it('leaves what was not sent to the engine, and gives logprobs unasked', () => {
    expect(read()).toMatchObject({ model: 'm', messages, tools: null, options: {} });
    expect(read().answer).toEqual({
      stream: false,
      promptLogprobs: null,
      includeUsage: false,
      logprobs: true,
      tokenIds: false,
      tokensAsIds: false,
      readsToolCalls: false,
      parallelToolCalls: true,
      legacyCalls: false,
      echoed: '',
    });
  });

  it('reads the options of OpenAI and of vLLM', () => {
    const fields = {
      n: 2,
      max_tokens: 9,
      max_completion_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      min_p: 0.1,
      min_tokens: 1,
      repetition_penalty: 1.1,
      presence_penalty: 1,
      frequency_penalty: -1,
      stop: 'end',
      include_stop_str_in_output: true,
      stop_token_ids: [7],
      ignore_eos: true,
      seed: 4,
      logit_bias: { 5: -100 },
      top_logprobs: 2,
    };
    expect(read(fields).options).toEqual({
      n: 2,
      maxTokens: 5,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      minP: 0.1,
      minTokens: 1,
      repetitionPenalty: 1.1,
      presencePenalty: 1,
      frequencyPenalty: -1,
      stop: ['end'],
      includeStop: true,
      stopTokenIds: [7],
      ignoreEos: true,
      seed: 4,
      logitBias: { 5: -100 },
      topLogprobs: 2,
    });
  });

  it.each([
    [{}, { templateVariables: null, ending: 'answer' }],
    [{ chat_template_kwargs: { enable_thinking: false } }, { templateVariables: { enable_thinking: false } }],
    [
      { reasoning_effort: 'low', documents: [{ text: 'a' }] },
      { templateVariables: { reasoning_effort: 'low', documents: [{ text: 'a' }] } },
    ],
    [{ add_generation_prompt: false }, { ending: 'messages' }],
    [{ continue_final_message: true, add_generation_prompt: false }, { ending: 'last_message' }],
    [{ continue_final_message: true }, { ending: 'last_message' }],
  ])('reads what the prompt hangs on: %j', (fields, context) => {
    expect(read(fields).context).toMatchObject(context);
  });

  it('echoes the last message where it is the one that is continued', () => {
    const begun = [...messages, { role: 'assistant', content: 'Well, ' }];
    expect(read({ messages: begun, echo: true }).answer.echoed).toBe('Well, ');
    expect(read({ echo: true }).answer.echoed).toBe('');
    expect(read({ messages: begun }).answer.echoed).toBe('');
  });

  it('passes over what changes no answer', () => {
    const fields = {
      user: 'a',
      store: true,
      metadata: {},
      priority: 3,
      request_id: 'r',
      cache_salt: 's',
      service_tier: 'auto',
      use_beam_search: false,
      best_of: 1,
      add_special_tokens: false,
      prompt_logprobs: null,
    };
    expect(() => read(fields)).not.toThrow();
  });

  it('takes null for what is absent', () => {
    const nothing = { n: null, stop: null, logprobs: null, tools: null, tool_choice: null, response_format: null };
    expect(read(nothing)).toMatchObject({ options: {}, tools: null, answer: { logprobs: true } });
  });

  it.each([
    [{ type: 'text' }, undefined],
    [{ type: 'json_object' }, { type: 'json_object' }],
    [
      { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } },
      { type: 'json_schema', schema: { type: 'object' } },
    ],
    [{ type: 'json_schema', json_schema: { name: 'a' } }, { type: 'json_object' }],
  ])('reads the response format %j', (response_format, format) => {
    expect(read({ response_format }).options.format).toEqual(format);
  });

  it.each([
    [undefined, true, undefined],
    ['auto', true, undefined],
    ['none', false, undefined],
    ['required', true, { type: 'tool_call' }],
    [tool('b'), true, { type: 'tool_call', name: 'b' }],
  ])('reads the tool choice %j', (tool_choice, reads, format) => {
    const tools = [tool('a'), tool('b')];
    const request = read({ tools, tool_choice });
    expect(request).toMatchObject({ tools: reads ? tools : null, answer: { readsToolCalls: reads } });
    expect(request.options.format).toEqual(format);
  });

  it.each([
    ['auto', undefined],
    [null, undefined],
    ['required', { type: 'tool_call' }],
  ])('offers only the tools that are allowed, in the mode %s', (mode, format) => {
    const tools = [tool('a'), tool('b'), tool('c')];
    const tool_choice = { type: 'allowed_tools', allowed_tools: { mode, tools: [tool('c'), tool('a')] } };
    const request = read({ tools, tool_choice });
    expect(request.tools).toEqual([tool('a'), tool('c')]);
    expect(request.options.format).toEqual(format);
  });

  it('reads functions and function_call as the older form of tools', () => {
    const functions = [{ name: 'a', parameters: null }, { name: 'b' }];
    const request = read({ functions, function_call: { name: 'b' } });
    expect(request.tools).toEqual(functions.map((described) => ({ type: 'function', function: described })));
    expect(request.options.format).toEqual({ type: 'tool_call', name: 'b' });
    expect(request.answer).toMatchObject({ readsToolCalls: true, legacyCalls: true, parallelToolCalls: false });
    expect(read({ functions, function_call: 'none' })).toMatchObject({ tools: null, answer: { legacyCalls: false } });
    expect(read({ functions, tools: [tool('c')] }).answer.legacyCalls).toBe(false);
  });

  it('lets a model that is offered tools call one or answer in the format', () => {
    const response_format = { type: 'json_object' };
    const format = (fields: object) => read({ tools: [tool('a')], response_format, ...fields }).options.format;
    expect(format({})).toEqual({ type: 'tool_call_or', format: { type: 'json_object' } });
    expect(format({ tool_choice: 'required' })).toEqual({ type: 'tool_call' });
    expect(format({ tool_choice: 'none' })).toEqual({ type: 'json_object' });
  });

  it('holds calls of strict tools to their schemas where a model may call them or not', () => {
    const strict = { type: 'function', function: { name: 'a', strict: true } };
    const format = (fields: object) => read({ tools: [strict, tool('b')], ...fields }).options.format;
    expect(format({})).toEqual({ type: 'tool_calls' });
    expect(format({ tools: [tool('a')] })).toBeUndefined();
    expect(format({ tools: [{ type: 'function', function: { name: 'a', strict: false } }] })).toBeUndefined();
    expect(format({ tool_choice: 'none' })).toBeUndefined();
    expect(format({ tool_choice: 'required' })).toEqual({ type: 'tool_call' });
    expect(format({ response_format: { type: 'json_object' } })).toMatchObject({ type: 'tool_call_or' });
  });

  it.each([
    [{ prompt_logprobs: -1 }, 'prompt_logprobs', 'must be a whole number from 0 to 20'],
    [{ prompt_logprobs: 0, stream: true }, 'prompt_logprobs', 'not supported in a stream'],
    [{ use_beam_search: true }, 'use_beam_search', 'not supported'],
    [{ chat_template: '{{ messages }}' }, 'chat_template', "model's own"],
    [{ truncate_prompt_tokens: 5 }, 'truncate_prompt_tokens', 'not supported'],
    [{ continue_final_message: true, add_generation_prompt: true }, 'continue_final_message', 'together'],
    [{ chat_template_kwargs: [] }, 'chat_template_kwargs', 'object'],
    [{ tools: [tool('a')], guided_grammar: 'root ::= "a"' }, 'structured_outputs', 'together with tools'],
    [{ functions: [{ name: 'a' }], function_call: { name: 'b' } }, 'function_call', "'b'"],
    [{ functions: [], function_call: { name: 'b' } }, 'function_call', 'no tools'],
    [{ functions: [{}] }, 'functions[0].name', 'is required'],
    [{ functions: [{ name: 'a' }], function_call: 'required' }, 'function_call', "'auto'"],
    [{ tools: [], tool_choice: 'required' }, 'tool_choice', 'no tools'],
    [{ tools: [tool('a')], tool_choice: tool('b') }, 'tool_choice', "'b'"],
    [{ tools: [tool('a')], tool_choice: { type: 'allowed_tools' } }, 'tool_choice.allowed_tools', 'is required'],
    [allowed({ mode: 'none', tools: [] }), 'tool_choice.allowed_tools.mode', "'auto', 'required'"],
    [allowed({ mode: 'required', tools: [] }), 'tool_choice', 'no tools'],
    [allowed({ mode: 'auto', tools: [tool('b')] }), 'tool_choice', "allows 'b'"],
    [allowed({ mode: 'auto', tools: [{ type: 'mcp' }] }), 'tool_choice.allowed_tools.tools[0].type', "'function'"],
    [allowed({ mode: 'auto' }), 'tool_choice.allowed_tools.tools', 'is required'],
    [{ tools: [tool('')] }, 'tools[0].function.name', 'empty'],
    [{ tools: [{ type: 'custom' }] }, 'tools[0].type', "'function'"],
    [{ messages: [] }, 'messages', 'empty'],
    [{ messages: [{ role: 'robot' }] }, 'messages[0].role', "'user'"],
    [{ stop: [1] }, 'stop', 'strings'],
    [{ stop: Array(17).fill('a') }, 'stop', 'at most 16 strings'],
    [{ logit_bias: { a: 1 } }, 'logit_bias', 'token ids as keys'],
    [{ temperature: -1 }, 'temperature', 'temperature must be a number from 0 on'],
    [{ max_tokens: 0 }, 'max_tokens', 'a whole number from 1 on'],
    [{ max_tokens: 5, max_completion_tokens: 0 }, 'max_completion_tokens', 'a whole number from 1 on'],
    [{ logprobs: false, top_logprobs: 1 }, 'top_logprobs', 'logprobs'],
    [{ stream_options: [] }, 'stream_options', 'object'],
  ])('refuses %j', (fields, param, words) => {
    expect(() => read(fields)).toThrow(refusal(param, words));
  });

  it.each([
    ['', 'messages', 'is required'],
    ['[1]', null, 'object'],
    ['{"seed": NaN}', null, 'JSON'],
    ['{"seed": 1e999}', null, 'finite'],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, null, 'deep'],
  ])('refuses the body %.20s', (body, param, words) => {
    expect(() => readChatRequest(Buffer.from(body))).toThrow(refusal(param, words));
  });
});
