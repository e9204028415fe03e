import { EngineError } from '../protocol/engine.errors.js';
import type { ChatMessage, PromptEnding, TemplateVariables, Tool, ToolCallForm } from '../protocol/chat.js';
import { templateMessages } from './chat-messages.js';
import { untilLastMessage } from './last-message.js';
import { markGenerations, readMarks, refuseMarks, type MarkedText } from './generation-marks.js';
import { JinjaTemplate } from './jinja.js';
import { isJsonObject, readModelFile, readModelJson, type JsonObject } from './tokenizer-file.js';
import { specialTokensOf } from './tokenizer-entries.js';
import type { Tokenizer } from './tokenizer.js';

export interface RenderOptions {
  tools?: readonly Tool[] | null;
  /** Whether the text ends with the beginning of an assistant's turn; default no. */
  addGenerationPrompt?: boolean;
  /** They win over the special tokens, as in transformers. */
  templateVariables?: TemplateVariables | null;
}

/**
 * What is said elsewhere in a request, or is no business of a template's. vLLM refuses the first two; of the others some
 * of its versions believe the variable and some the request, so that no client can mean anything by them.
 */
const OWN_VARIABLES = [
  'chat_template',
  'tokenize',
  'messages',
  'tools',
  'add_generation_prompt',
  'continue_final_message',
];

/** The chat template of a model: what its conversations look like as text. */
export class ChatTemplate {
  private readonly templates = new Map<string, JinjaTemplate>();
  /** Sources with marks, by those without. */
  private readonly markedSources = new Map<string, string>();
  private form: ToolCallForm | undefined;

  /**
   * @param sources The template, or several of them: with tools, `tool_use` is taken before `default`.
   * @param specialTokens What the template may call `bos_token`, `eos_token` and so on.
   * @param now The time that the template sees.
   */
  constructor(
    private readonly sources: { default: string; tool_use?: string },
    private readonly specialTokens: Readonly<Record<string, string>> = {},
    private readonly now: () => Date = () => new Date(),
  ) {
    for (const source of Object.values(sources)) {
      this.compiled(source);
      this.markedSources.set(source, markGenerations(source));
    }
  }

  /** Whether the same messages may become another text later. */
  get tellsTime(): boolean {
    return Object.values(this.sources).some((source) => source.includes('strftime_now'));
  }

  /** Whether the template names it anywhere: what it doesn't name is in no prompt. */
  names(key: string): boolean {
    return Object.values(this.sources).some((source) => source.includes(key));
  }

  /** How the template writes a call, which is how the model does. */
  get toolCallForm(): ToolCallForm {
    return (this.form ??= this.writesBareCalls() ? 'bare' : 'tagged');
  }

  /**
   * Reads the template of a model directory: chat_template.jinja, and for tools additional_chat_templates/tool_use.jinja, else
   * `chat_template` of tokenizer_config.json.
   */
  static async load(directory: string): Promise<ChatTemplate> {
    const config = (await readModelJson(directory, 'tokenizer_config.json')) ?? {};
    const file = await readModelFile(directory, 'chat_template.jinja');
    if (file === undefined) return new ChatTemplate(sourcesOf(config), specialTokensOf(config));
    const withTools = await readModelFile(directory, 'additional_chat_templates/tool_use.jinja');
    return new ChatTemplate({ default: file, ...(withTools ? { tool_use: withTools } : {}) }, specialTokensOf(config));
  }

  /** @throws EngineError `invalid_request` where the template refuses the messages, with its own words. */
  render(messages: readonly ChatMessage[], options: RenderOptions = {}): string {
    const source = this.sourceFor(options);
    return this.marked(source, messages, options)?.text ?? this.run(source, messages, options);
  }

  /**
   * Which parts of the text the template says to be the assistant's (`{% generation %}`); null where it doesn't say.
   */
  renderMarked(messages: readonly ChatMessage[], options: RenderOptions = {}): MarkedText | null {
    return this.marked(this.sourceFor(options), messages, options);
  }

  private marked(source: string, messages: readonly ChatMessage[], options: RenderOptions): MarkedText | null {
    const marked = this.markedSources.get(source)!;
    if (marked === source) return null;
    const text = this.run(marked, messages, options);
    refuseMarks([messages, options.tools, options.templateVariables]);
    return readMarks(text);
  }

  private writesBareCalls(): boolean {
    const call = { type: 'function' as const, function: { name: 'example', arguments: '{"key":"value"}' } };
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Example' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    try {
      const text = this.render(messages, { tools: [{ type: 'function', function: { name: 'example' } }] });
      return /\{\s*"name"\s*:\s*"example"\s*,\s*"parameters"\s*:/.test(text) && !text.includes('<tool_call>');
    } catch {
      return false;
    }
  }

  private sourceFor(options: RenderOptions): string {
    return (options.tools?.length ? this.sources.tool_use : undefined) ?? this.sources.default;
  }

  private run(source: string, messages: readonly ChatMessage[], options: RenderOptions): string {
    const given = options.templateVariables ?? {};
    refuseOwn(given);
    const variables = {
      ...this.specialTokens,
      documents: null,
      ...given,
      messages: templateMessages(messages),
      tools: options.tools?.length ? options.tools : null,
      add_generation_prompt: options.addGenerationPrompt === true,
    };
    const template = this.compiled(source);
    try {
      return template.render(variables, this.now);
    } catch (error) {
      throw new EngineError(
        'invalid_request',
        `The model's chat template refuses these messages: ${said(error)}`,
        'messages',
      );
    }
  }

  private compiled(source: string): JinjaTemplate {
    let template = this.templates.get(source);
    if (!template) {
      try {
        template = new JinjaTemplate(source);
      } catch (error) {
        throw new EngineError('bad_model', `The chat template can't be read: ${said(error)}`);
      }
      this.templates.set(source, template);
    }
    return template;
  }
}

/**
 * The tokens of a prompt: the conversation so far and the beginning of the assistant's answer. As transformers and vLLM
 * do it, the whole rendered text is tokenized with its special tokens, so a message that says `<|im_end|>` literally
 * ends its turn. Telling the two apart would give other tokens than the originals for the same chat; who must keep
 * users from it removes such words from the messages. No beginning-of-text token is added: the template has written it
 * where the model wants one.
 */
export function encodeChat(
  tokenizer: Tokenizer,
  template: ChatTemplate,
  messages: readonly ChatMessage[],
  tools?: readonly Tool[] | null,
  templateVariables?: TemplateVariables | null,
  ending: PromptEnding = 'answer',
): Int32Array {
  const rendered = template.render(messages, { tools, templateVariables, addGenerationPrompt: ending === 'answer' });
  const text = ending === 'last_message' ? untilLastMessage(rendered, messages) : rendered;
  return tokenizer.encode(text, { special: true });
}

function refuseOwn(given: TemplateVariables): void {
  const name = OWN_VARIABLES.find((own) => Object.hasOwn(given, own));
  if (name === undefined) return;
  const message = `${name} is no variable that a request may set for the chat template`;
  throw new EngineError('invalid_request', message, `chat_template_kwargs.${name}`);
}

function sourcesOf(config: JsonObject): { default: string; tool_use?: string } {
  const { chat_template: given } = config;
  if (typeof given === 'string') return { default: given };
  const named = new Map<unknown, unknown>(
    Array.isArray(given) ? given.filter(isJsonObject).map((one) => [one.name, one.template]) : [],
  );
  const [usual, withTools] = [named.get('default'), named.get('tool_use')];
  if (typeof usual !== 'string')
    throw new EngineError(
      'bad_model',
      'chat_template of tokenizer_config.json is missing, and chat_template.jinja too: the model has no chat template',
    );
  return { default: usual, ...(typeof withTools === 'string' ? { tool_use: withTools } : {}) };
}

function said(error: unknown): string {
  if (error instanceof RangeError) return 'they are nested too deeply';
  return error instanceof Error ? error.message : String(error);
}
