import { fileURLToPath } from 'node:url';
import type { ChatMessage, Tool } from '../protocol/chat.js';
import { ChatTemplate, encodeChat } from './chat-template.js';
import { Tokenizer } from './tokenizer.js';

const shuttle = fileURLToPath(new URL('../../base-models/shuttle', import.meta.url));
const template = await ChatTemplate.load(shuttle);
const user = (content: string): ChatMessage => ({ role: 'user', content });
const calls = (content: string | null, ...names: string[]): ChatMessage => ({
  role: 'assistant',
  content,
  tool_calls: names.map((name) => ({ function: { name, arguments: '{"city":"Genève"}' } })),
});
const weather: Tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

describe("the shipped model's template", () => {
  it('writes turns in the manner of ChatML', () => {
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be kind.' },
      user('Hi'),
      { role: 'assistant', content: 'Hello' },
    ];

    expect(template.render(messages)).toBe(
      '<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n',
    );
    expect(template.render([user('Hi')], { addGenerationPrompt: true })).toBe(
      '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  it('describes tools in the system turn, with or without one given', () => {
    const described = 'Tools:\n<tools>\n{"name": "weather", "parameters": {"type": "object"}}\n</tools>\n';

    expect(template.render([user('Hi')], { tools: [weather] })).toContain(`<|im_start|>system\n${described}`);
    expect(template.render([{ role: 'developer', content: 'Be kind.' }], { tools: [weather] })).toContain(
      `<|im_start|>system\nBe kind.\n\n${described}`,
    );
    expect(template.render([user('Hi')], { tools: [] })).toBe(template.render([user('Hi')]));
  });

  it('writes calls as tagged JSON and puts results of one round into one turn', () => {
    const result: ChatMessage = { role: 'tool', content: '7', tool_call_id: 'c' };

    expect(template.render([calls(null, 'a', 'b'), result, result])).toBe(
      '<|im_start|>assistant\n' +
        '<tool_call>\n{"name": "a", "arguments": {"city": "Genève"}}\n</tool_call>\n' +
        '<tool_call>\n{"name": "b", "arguments": {"city": "Genève"}}\n</tool_call><|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\n7\n</tool_response>\n<tool_response>\n7\n</tool_response><|im_end|>\n',
    );
    expect(template.render([calls('Wait.', 'a')])).toContain('Wait.\n<tool_call>');
  });

  it('refuses roles that it does not know, in its own words', () => {
    const strange = { role: 'poet', content: '' } as unknown as ChatMessage;

    expect(() => template.render([strange])).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/unknown role: poet$/) }),
    );
  });
});

describe('ChatTemplate', () => {
  it('gives templates what transformers gives them', () => {
    const source =
      "{{ bos_token }}{{ strftime_now('%d %B') }} {{ range(1, 6, 2) | list | tojson }} {{ messages[0] | tojson(indent=1) }}" +
      '{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}{{ tools is none }}';
    const fixed = new ChatTemplate({ default: source }, { bos_token: '<s>' }, () => new Date(2024, 2, 1));

    expect(fixed.render([user('<é>')])).toBe('<s>01 March [1, 3, 5] {\n "role": "user",\n "content": "<é>"\n}01true');
  });

  it('takes the template for tools where there is one and tools are given', () => {
    const both = new ChatTemplate({ default: 'plain', tool_use: 'tools' });

    expect([both.render([]), both.render([], { tools: [weather] })]).toEqual(['plain', 'tools']);
  });

  it.each([
    ['tagged', '<tool_call>\n{"name": "\' + c.name + \'", "arguments": \' + c.arguments | tojson + \'}\n</tool_call>'],
    ['bare', '{"name": "\' + c.name + \'", "parameters": \' + c.arguments | tojson + \'}'],
    ['tagged', '[\' + c.name + \'("parameters": 1)]'],
    ['tagged', '{{ fails() }}'],
  ])('knows that calls are %s where it writes %s', (form, written) => {
    const source = `{% for m in messages %}{% for t in m.tool_calls or [] %}{% set c = t.function %}{{ '${written}' }}{% endfor %}{% endfor %}`;
    expect(new ChatTemplate({ default: source }).toolCallForm).toBe(form);
    expect(new ChatTemplate({ default: 'plain', tool_use: source }).toolCallForm).toBe(form);
  });

  it('gives templates the variables of a request, which win over special tokens', () => {
    const source = "{{ bos_token }}{{ 'think' if enable_thinking is not defined or enable_thinking }}{{ documents }}";
    const thinking = new ChatTemplate({ default: source }, { bos_token: '<s>' });
    const rendered = (templateVariables?: Record<string, unknown>) => thinking.render([], { templateVariables });

    expect(rendered()).toBe('<s>think');
    expect(rendered({ enable_thinking: false, unused: [1] })).toBe('<s>');
    expect(rendered({ enable_thinking: true, bos_token: '', documents: 'd' })).toBe('thinkd');
  });

  it.each(['messages', 'tools', 'add_generation_prompt', 'continue_final_message', 'chat_template', 'tokenize'])(
    'refuses the variable %s, of which the request says something elsewhere',
    (name) => {
      const param = `chat_template_kwargs.${name}`;
      expect(() => template.render([user('Hi')], { templateVariables: { [name]: 1 } })).toThrow(
        expect.objectContaining({ code: 'invalid_request', param }),
      );
    },
  );

  it('refuses a template that is none', () => {
    expect(() => new ChatTemplate({ default: '{% if %}' })).toThrow(expect.objectContaining({ code: 'bad_model' }));
  });

  it('refuses messages that hold its marks for {% generation %}', () => {
    const marking = new ChatTemplate({ default: '{% generation %}{{ messages[0].content }}{% endgeneration %}' });

    expect(marking.render([user('a')])).toBe('a');
    expect(() => marking.render([user('a\ufdd0')])).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('encodeChat', () => {
  it("makes turns of special tokens, also of those that a message's words hold, as transformers does", async () => {
    const tokenizer = await Tokenizer.load(shuttle);
    const ids = Array.from(encodeChat(tokenizer, template, [user('a<|im_end|>')]));

    expect(ids.filter((id) => tokenizer.isSpecial(id))).toEqual([256, 257, 257, 256]);
    expect(tokenizer.decode(ids)).toBe('<|im_start|>user\na<|im_end|><|im_end|>\n<|im_start|>assistant\n');
  });
});
