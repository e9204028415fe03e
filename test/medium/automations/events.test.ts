import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@heddle/events';
import type { Receiver } from '../../support/receiver.js';
import { AutomationsSystem } from './automations-system.js';
import { domainEvent } from './event-builder.js';
import { BASE_MODEL } from '../models/models-api.js';
import { group } from '../training/training-system.js';

type Json = Record<string, unknown>;

const collection = (name: string, type = 'model') => ({ collection: { id: 'c', name, type } });
const run = (displayName: string, createdBy = 'ada') => ({ run: { id: 'r', name: 'r', displayName, createdBy } });

/** Event type, filter, and events that do and do not match. */
const TABLE: [string, Json, [DomainEvent['type'], Json][], [DomainEvent['type'], Json][]][] = [
  [
    'LINK_ARTIFACT',
    {},
    [['LINK_ARTIFACT', {}]],
    [
      ['UNLINK_ARTIFACT', {}],
      ['CREATE_ARTIFACT', {}],
    ],
  ],
  [
    'UNLINK_ARTIFACT',
    { collection_regex: 'chat' },
    [['UNLINK_ARTIFACT', {}]],
    [['UNLINK_ARTIFACT', collection('other')]],
  ],
  [
    'CREATE_ARTIFACT',
    { artifact_type: 'model' },
    [['CREATE_ARTIFACT', {}]],
    [['CREATE_ARTIFACT', collection('chat', 'data')]],
  ],
  [
    'ADD_ARTIFACT_ALIAS',
    { alias_regex: '^prod(uction)?$' },
    [
      ['ADD_ARTIFACT_ALIAS', {}],
      ['ADD_ARTIFACT_ALIAS', { alias: 'prod' }],
    ],
    [
      ['ADD_ARTIFACT_ALIAS', { alias: 'preprod' }],
      ['ADD_ARTIFACT_TAG', { tag: 'prod' }],
    ],
  ],
  [
    'ADD_ARTIFACT_ALIAS',
    { alias_regex: 'prod', collection_regex: '^chat-', artifact_type: 'model' },
    [['ADD_ARTIFACT_ALIAS', { alias: 'preprod-2' }]],
    [
      ['ADD_ARTIFACT_ALIAS', collection('my-chat')],
      ['ADD_ARTIFACT_ALIAS', { alias: 'staging' }],
    ],
  ],
  [
    'ADD_ARTIFACT_TAG',
    {},
    [['ADD_ARTIFACT_TAG', {}]],
    [
      ['REMOVE_ARTIFACT_TAG', {}],
      ['ADD_COLLECTION_TAG', {}],
    ],
  ],
  ['ADD_ARTIFACT_TAG', { tag_regex: '^v\\d+' }, [['ADD_ARTIFACT_TAG', { tag: 'v12' }]], [['ADD_ARTIFACT_TAG', {}]]],
  ['REMOVE_ARTIFACT_TAG', { tag_regex: 'app' }, [['REMOVE_ARTIFACT_TAG', {}]], [['ADD_ARTIFACT_TAG', {}]]],
  [
    'ADD_COLLECTION_TAG',
    { tag_regex: '(?i)APPROVED' },
    [['ADD_COLLECTION_TAG', {}]],
    [['ADD_COLLECTION_TAG', { tag: 'x' }]],
  ],
  ['REMOVE_COLLECTION_TAG', {}, [['REMOVE_COLLECTION_TAG', {}]], [['ADD_COLLECTION_TAG', {}]]],
  [
    'RUN_STATE',
    { states: ['FAILED', 'FINISHED'] },
    [
      ['RUN_STATE', {}],
      ['RUN_STATE', { state: 'FINISHED' }],
    ],
    [['RUN_STATE', { state: 'RUNNING' }]],
  ],
  ['RUN_STATE', { states: ['FAILED'], user: 'ada' }, [['RUN_STATE', {}]], [['RUN_STATE', run('nightly', 'adam')]]],
  [
    'RUN_STATE',
    { states: ['FAILED'], run_name_regex: '^nightly \\d+$' },
    [['RUN_STATE', {}]],
    [
      ['RUN_STATE', run('not nightly 42')],
      ['RUN_STATE', run('nightly')],
    ],
  ],
  ['RUN_ALERT', {}, [['RUN_ALERT', {}]], [['RUN_STATE', {}]]],
  [
    'RUN_ALERT',
    { severities: ['WARN', 'ERROR'], title_regex: '^low', run_name_regex: 'nightly' },
    [
      ['RUN_ALERT', {}],
      ['RUN_ALERT', { severity: 'ERROR', title: 'lower still' }],
    ],
    [
      ['RUN_ALERT', { severity: 'INFO' }],
      ['RUN_ALERT', { title: 'not low' }],
      ['RUN_ALERT', run('daily')],
    ],
  ],
  [
    'TRAINING_JOB_STATE',
    { states: ['FINISHED'] },
    [['TRAINING_JOB_STATE', {}]],
    [
      ['TRAINING_JOB_STATE', { state: 'CANCELLED' }],
      ['RUN_STATE', { state: 'FINISHED' }],
    ],
  ],
];

describe('events', () => {
  let t: AutomationsSystem;
  let receiver: Receiver;
  beforeAll(async () => {
    t = await AutomationsSystem.start();
    receiver = await t.receiver();
  });
  afterAll(() => t.close());
  afterEach(() => t.database.pool.query('UPDATE automations SET enabled = false').then(() => forget(t)));

  it.each(TABLE)(
    '%s with %j fires on what matches, and on nothing else',
    async (eventType, filter, matching, others) => {
      const automation = await t.automation(receiver, { eventType, filter });
      const place = await t.placeOfProject();
      for (const [type, fields] of others) await t.publish(domainEvent(type, place, fields));
      expect(await t.executions(automation)).toEqual([]);
      for (const [type, fields] of matching) await t.publish(domainEvent(type, place, fields));
      expect(await t.executions(automation)).toHaveLength(matching.length);
    },
  );

  it('fires in the scope of the event: its registry, its project and its team, and in no other', async () => {
    const inScope = (scope_type: string, scope_id: string) =>
      t.automation(receiver, { eventType: 'LINK_ARTIFACT', filter: {}, scope: { scope_type, scope_id } });
    await t.ask('POST', '/v1/projects', { entity: t.team.name, name: 'other' });
    await t.ask('POST', '/v1/registries', { entity: t.team.name, name: 'others' });
    const [registry, project, team, ...others] = await Promise.all([
      inScope('REGISTRY', t.registry),
      inScope('PROJECT', t.project),
      inScope('TEAM', t.team.name),
      inScope('PROJECT', `${t.team.name}/other`),
      inScope('REGISTRY', `${t.team.name}/others`),
    ]);
    // A link has both: the project where the version was made, and the registry.
    const place = { ...(await t.placeOfRegistry()), project: (await t.placeOfProject()).project };
    await t.publish(domainEvent('LINK_ARTIFACT', place));
    for (const each of [registry, project, team]) expect(await t.executions(each!)).toHaveLength(1);
    for (const each of others) expect(await t.executions(each)).toEqual([]);
    await t.publish(domainEvent('LINK_ARTIFACT', await t.placeOfRegistry()));
    expect(await t.executions(project!)).toHaveLength(1);
    expect(await t.executions(registry!)).toHaveLength(2);
  });

  it('takes ids for names of registries and teams', async () => {
    const { registry, teamId } = await t.placeOfRegistry();
    const scopes = [
      { scope_type: 'REGISTRY', scope_id: registry!.id },
      { scope_type: 'TEAM', scope_id: teamId },
    ];
    for (const scope of scopes) {
      const { path } = await t.automation(receiver, { eventType: 'LINK_ARTIFACT', filter: {}, scope });
      expect((await t.ask('GET', path)).body).toMatchObject({
        scope: { ...scope, scope_id: scope.scope_type === 'TEAM' ? t.team.name : t.registry },
      });
    }
  });

  it('renders the variables of what happened', async () => {
    const payload = `{"text": "\${event_author} put \${alias} on \${artifact_version_string} (\${artifact_version})",
      "accuracy": \${artifact_metadata.accuracy}, "tag": "\${tag}", "in": "\${entity_name}/\${project_name}",
      "why": "\${automation_name}: \${event_type}"}`;
    const own = await t.receiver();
    const automation = await t.automation(own, { name: 'Tell them', payload, filter: { alias_regex: '.' } });
    await t.publish(
      domainEvent('ADD_ARTIFACT_ALIAS', await t.placeOfProject(), { alias: 'say "hi"\n${ACCESS_TOKEN}' }),
    );
    await t.deliver();
    expect((await t.executions(automation))[0]).toMatchObject({ state: 'FINISHED' });
    expect(JSON.parse(String(own.last.body))).toEqual({
      text: `ada put say "hi"\n\${ACCESS_TOKEN} on ${t.project}/chat-model:say "hi"\n\${ACCESS_TOKEN} (weavers/loom/chat-model:v3)`,
      accuracy: 0.93,
      tag: '',
      in: t.project,
      why: 'Tell them: ADD_ARTIFACT_ALIAS',
    });
  });

  it("names a registry's version by the registry's number", async () => {
    const own = await t.receiver();
    const payload = '{"version": "${artifact_version}", "string": "${artifact_version_string}"}';
    const scope = { scope_type: 'REGISTRY', scope_id: t.registry };
    await t.automation(own, { eventType: 'LINK_ARTIFACT', filter: {}, scope, payload });
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    for (const name of ['m1', 'm2']) {
      await t.ask('POST', artifacts, { name, type: 'model' });
      await t.ask('POST', `${artifacts}/${name}/versions`, {});
    }
    const collections = `/v1/registries/${t.registry}/collections`;
    await t.ask('POST', collections, { name: 'shelf', type: 'model' });
    for (const name of ['m1', 'm2'])
      await t.ask('POST', `${collections}/shelf/versions`, { artifact: `${t.project}/${name}:v0` });
    await t.deliver();
    const of = `${t.registry}/shelf:v1`;
    expect(JSON.parse(String(own.last.body))).toEqual({ version: of, string: of });
  });

  it("fires on the jobs that are cancelled with their model, also where the model's run is gone", async () => {
    const filter = { states: ['CANCELLED'] };
    const automation = await t.automation(receiver, { eventType: 'TRAINING_JOB_STATE', filter });
    for (const name of ['with-run', 'without-run']) {
      const model = { entity: t.team.name, project: 'loom', name, base_model: BASE_MODEL };
      const { body } = await t.ask('POST', '/v1/preview/models', model);
      const job = { model_id: body['id'], trajectory_groups: [group('why?', [0, 1])] };
      expect((await t.ask('POST', '/v1/preview/training-jobs', job)).status).toBe(200);
      if (name === 'without-run') {
        expect((await t.ask('DELETE', `/v1/projects/${t.project}/runs/${name}`)).status).toBe(204);
      }
      expect(await t.ask('DELETE', `/v1/preview/models/${String(body['id'])}`)).toMatchObject({
        body: { deleted_run: name === 'with-run' },
      });
    }
    expect(await t.executions(automation)).toHaveLength(2);
  });

  it('fires on an alias that is added over REST', async () => {
    const automation = await t.automation(receiver, { filter: { alias_regex: '^live$' } });
    const artifacts = `/v1/projects/${t.project}/artifacts`;
    await t.ask('POST', artifacts, { name: 'agent', type: 'model' });
    await t.ask('POST', `${artifacts}/agent/versions`, { metadata: {} });
    await t.ask('PUT', `${artifacts}/agent/versions/v0/aliases/live`);
    await t.ask('PUT', `${artifacts}/agent/versions/v0/aliases/live`);
    expect(await t.executions(automation)).toHaveLength(1);
  });
});

/** What a test disables behind the API's back is known only when the version moves. */
async function forget(t: AutomationsSystem): Promise<void> {
  await t.database.pool.query('UPDATE automation_scopes SET version = version + 1');
}
