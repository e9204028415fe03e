import type { RequestFields } from '../request/request-fields.js';
import { readBody } from '../request/request-body.js';
import { type Item, readInputItems } from './input-items.js';
import type { ResponseEcho } from './response-object.js';

/** The body of `/v1/responses`, before what went before it is known. */
export interface ResponseRequest {
  fields: RequestFields;
  instructions: string | null;
  input: Item[];
  previousId: string | null;
  store: boolean;
  /** It is answered at once, and made afterwards. */
  background: boolean;
  /** Whether the oldest items may be left out where not all of them fit into the context. */
  isTruncated: boolean;
  /** What the answer says of the request. */
  echo: ResponseEcho;
  /** Of the body. */
  bytes: number;
}

const MAX_METADATA = 16;
/** What would change the answer, and can't be had here. */
const REFUSED = {
  conversation: 'is not supported: previous_response_id goes on from a response',
  prompt: 'is not supported: there are no stored prompts here',
} as const;
/** The first is read; the others are about tools that there are none of here, and about thoughts. */
const INCLUDED = [
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.results',
  'web_search_call.action.sources',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'message.input_image.image_url',
];

/** @throws ParameterError */
export const readResponseRequest = (body: Buffer): ResponseRequest => {
  const fields = readBody(body);
  return readFields(fields, readInputItems(fields), body.length);
};

/** The same, where there may be no `input`: what else a model is given has tokens too. @throws ParameterError */
export const readInputTokensRequest = (body: Buffer): ResponseRequest => {
  const fields = readBody(body);
  const isEnough = fields.has('instructions') || fields.has('previous_response_id');
  return readFields(fields, !fields.has('input') && isEnough ? [] : readInputItems(fields), body.length);
};

function readFields(fields: RequestFields, input: Item[], bytes: number): ResponseRequest {
  for (const [name, why] of Object.entries(REFUSED)) {
    if ((fields.get(name) ?? false) !== false) throw fields.refusal(name, why);
  }
  for (const name of fields.array('include') ?? []) {
    if (!INCLUDED.includes(name as string)) throw fields.refusal('include', `knows ${INCLUDED.join(', ')}`);
  }
  checkMetadata(fields);
  const previousId = fields.string('previous_response_id') ?? null;
  const instructions = fields.string('instructions') ?? null;
  const store = fields.boolean('store') ?? true;
  const background = readBackground(fields, store);
  const truncation = fields.oneOf('truncation', ['auto', 'disabled']) ?? 'disabled';
  const echo = { ...echoOf(fields), instructions, previous_response_id: previousId, store, truncation, background };
  const isTruncated = truncation === 'auto';
  return { fields, instructions, input, previousId, store, background, isTruncated, echo, bytes };
}

/** Who asks for it later must find it. */
function readBackground(fields: RequestFields, store: boolean): boolean {
  const background = fields.boolean('background') ?? false;
  if (background && !store)
    throw fields.refusal('background', 'needs store to be true, so that the response can be retrieved');
  return background;
}

function checkMetadata(fields: RequestFields): void {
  const entries = Object.entries(fields.object('metadata')?.all ?? {});
  const isShort = ([key, value]: [string, unknown]) =>
    key.length <= 64 && typeof value === 'string' && value.length <= 512;
  if (entries.length > MAX_METADATA || !entries.every(isShort)) {
    throw fields.refusal(
      'metadata',
      `must be at most ${MAX_METADATA} texts of up to 512 characters, with names of up to 64`,
    );
  }
}

function echoOf(fields: RequestFields): Record<string, unknown> {
  const text = fields.object('text')?.all;
  return {
    max_output_tokens: fields.get('max_output_tokens') ?? null,
    max_tool_calls: null,
    metadata: fields.get('metadata') ?? {},
    parallel_tool_calls: fields.get('parallel_tool_calls') ?? true,
    prompt_cache_key: fields.get('prompt_cache_key') ?? null,
    reasoning: { effort: null, summary: null, ...fields.object('reasoning')?.all },
    safety_identifier: fields.get('safety_identifier') ?? null,
    service_tier: 'default',
    temperature: fields.get('temperature') ?? null,
    text: { ...text, format: text?.['format'] ?? { type: 'text' } },
    tool_choice: fields.get('tool_choice') ?? 'auto',
    tools: (fields.objects('tools') ?? []).map(({ all }) => ({
      description: null,
      parameters: null,
      strict: null,
      ...all,
    })),
    top_logprobs: fields.get('top_logprobs') ?? 0,
    top_p: fields.get('top_p') ?? null,
    user: fields.get('user') ?? null,
  };
}
