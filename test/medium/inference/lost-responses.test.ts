import { BackgroundResponsesRepository } from '../../../libs/inference/src/responses/background/background-responses.repository.js';
import { LostResponsesHandler } from '../../../libs/inference/src/responses/background/lost-responses.handler.js';
import { LostResponsesService } from '../../../libs/inference/src/responses/background/lost-responses.service.js';
import { eventually } from '../../support/eventually.js';
import { ChatApi } from './chat-api.js';
import { RESPONSES, type Response, ResponsesApi } from './responses-api.js';

describe('a response in the background whose process has died', () => {
  let t: ChatApi;
  let r: ResponsesApi;
  beforeAll(async () => {
    t = await ChatApi.start();
    r = new ResponsesApi(t);
  });
  afterAll(() => t.close());

  const start = () => r.respond({ background: true });
  const get = async (id: string): Promise<Response> => (await t.ask('GET', `${RESPONSES}/${id}`)).body as Response;
  const end = (id: string) =>
    eventually(
      () => get(id),
      ({ usage }) => usage !== null,
    );
  const cancel = (id: string) => t.ask('POST', `${RESPONSES}/${id}/cancel`);

  /** As another process would have left it. */
  async function lost(): Promise<string> {
    const { id, ...response } = await end((await start()).id);
    await t.ask('DELETE', `${RESPONSES}/${id}`);
    const repository = t.api.provider(BackgroundResponsesRepository);
    const left = { ...response, id, object: 'response', status: 'in_progress', output: [], usage: null } as never;
    await repository.create({ teamId: null, userId: t.ada.id, response: left, previousId: null, input: [] }, true);
    const event = 'event: response.created\ndata: {"type":"response.created","sequence_number":0}\n\n';
    await repository.keep(id, { first: 0, last: 0, text: event });
    const sql = "UPDATE background_responses SET lease_until = now() - interval '1 second' WHERE response_id = $1";
    await t.api.database.pool.query(sql, [id]);
    return id;
  }
  const failed = {
    status: 'failed',
    error: { code: 'server_error', message: expect.stringMatching(/ended before/) },
  };

  it('has failed for whoever looks', async () => {
    const id = await lost();
    expect(await get(id)).toMatchObject(failed);
    const repository = t.api.provider(BackgroundResponsesRepository);
    const late = { first: 1, last: 1, text: 'late' };
    expect([await repository.keep(id, late), await repository.end(id, (await get(id)) as never)]).toEqual([
      false,
      false,
    ]);
  });

  it('has failed for whoever follows its events', async () => {
    const events = await r.resume(await lost());
    expect(events).toMatchObject([
      { sequence_number: 0 },
      { type: 'response.failed', sequence_number: 1, response: failed },
    ]);
  });

  it('has failed also where nobody asks', async () => {
    const id = await lost();
    await new LostResponsesHandler(t.api.provider(LostResponsesService)).handle();
    const sql = 'SELECT body FROM responses WHERE id = $1';
    const { rows } = await t.api.database.pool.query<{ body: string }>(sql, [id]);
    expect(JSON.parse(rows[0]!.body)).toMatchObject(failed);
  });

  it('is held by whoever comes back in time', async () => {
    const id = await lost();
    const repository = t.api.provider(BackgroundResponsesRepository);
    expect(await repository.renew([id, 'resp_none'])).toEqual(new Set([id]));
    expect(await get(id)).toMatchObject({ status: 'in_progress' });
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' });
  });
});
