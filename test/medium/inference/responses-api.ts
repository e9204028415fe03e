import type { Answer, Ask } from '../accounts/requests.js';
import { BASE_MODEL, type ChatApi, type Json } from './chat-api.js';

export interface Item {
  id: string;
  type: string;
  status: string;
  content: { type: string; text: string; logprobs: { token: string; top_logprobs: object[] }[] }[];
  name: string;
  call_id: string;
  arguments: string;
}

export type Response = Json & {
  id: string;
  output: Item[];
  usage: { input_tokens: number; output_tokens: number; total_tokens: number };
};

export type Event = Json & { type: string; sequence_number: number; response: Response; item: Item; delta: string };

export const RESPONSES = '/v1/responses';

const tool = (name: string) => ({
  type: 'function',
  name,
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { enum: ['Rome', 'Oslo'] } },
    required: ['city'],
    additionalProperties: false,
  },
});

export const TOOLS = [tool('get_weather'), tool('get_time')];
export const WITH_TOOLS = { tools: TOOLS, tool_choice: 'required', max_output_tokens: 200 };

/** Responses of the base model, of a few likeliest tokens unless the fields say otherwise. */
export class ResponsesApi {
  constructor(private readonly chat: ChatApi) {}

  post(fields: Json = {}, ask: Ask = this.chat.ask): Promise<Answer> {
    return ask('POST', RESPONSES, this.body(fields));
  }

  async respond(fields: Json = {}): Promise<Response> {
    const { status, body } = await this.post(fields);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as Response;
  }

  /** The events of a stream that was, or is still, made in the background. */
  async resume(id: string, query = '', url = this.chat.url): Promise<Event[]> {
    const answer = await fetch(`${url}${RESPONSES}/${id}?stream=true${query}`, { headers: this.chat.ada.bearer });
    return eventsOf(await answer.text());
  }

  async stream(fields: Json): Promise<Event[]> {
    const body = JSON.stringify(this.body({ stream: true, ...fields }));
    const { url, ada } = this.chat;
    const text = await (await fetch(url + RESPONSES, { method: 'POST', headers: ada.bearer, body })).text();
    return eventsOf(text);
  }

  private body(fields: Json): Json {
    return { model: BASE_MODEL, input: 'Hello!', temperature: 0, max_output_tokens: 12, ...fields };
  }
}

export const eventsOf = (text: string): Event[] => text.split('\n\n').filter(Boolean).map(parsed);

function parsed(event: string): Event {
  const [name, data] = event.split('\n');
  const value = JSON.parse(data!.replace('data: ', '')) as Event;
  expect(name).toBe(`event: ${value.type}`);
  return value;
}

/** What a response's messages say. */
export const textOf = ({ output }: Response): string =>
  output
    .flatMap(({ content }) => content ?? [])
    .map(({ text }) => text)
    .join('');
