// What the benches start from, straight in the database.
import { randomUUID } from 'node:crypto';

export const PAYLOAD = JSON.stringify({
  event_type: 'model-promoted',
  client_payload: { version: '${artifact_version_string}', author: '${event_author}', alias: '${alias}' },
});

export async function givenProject(pool, entity, name) {
  const sql = `INSERT INTO projects (team_id, name) SELECT id, $2 FROM teams WHERE name = $1 RETURNING id, team_id`;
  const { rows } = await pool.query(sql, [entity, name]);
  return { id: rows[0].id, teamId: rows[0].team_id, entity, name };
}

export async function givenWebhook(pool, teamId, port) {
  const sql = `
    INSERT INTO webhooks (team_id, name, url_endpoint, enabled, created_by, updated_by)
    VALUES ($1, $2, $3, true, 'admin', 'admin') RETURNING id`;
  const { rows } = await pool.query(sql, [teamId, randomUUID(), `http://127.0.0.1:${port}/`]);
  return rows[0].id;
}

/** @param patterns one automation on ADD_ARTIFACT_ALIAS for each */
export async function givenAutomations(pool, project, webhookId, patterns) {
  const key = `PROJECT:${project.id}`;
  const sql = `
    INSERT INTO automations (scope_key, scope_type, team_id, project_id, name, enabled, event_type, filter,
                             action_team_id, webhook_id, request_payload, created_by, updated_by)
    SELECT $1, 'PROJECT', $2, $3, 'automation', true, 'ADD_ARTIFACT_ALIAS', filter, $2, $4, $5, 'admin', 'admin'
      FROM unnest($6::text[]) AS f (filter) RETURNING id`;
  const filters = patterns.map((pattern) => JSON.stringify({ alias_regex: pattern }));
  const { rows } = await pool.query(sql, [key, project.teamId, project.id, webhookId, PAYLOAD, filters]);
  await pool.query(
    `INSERT INTO automation_scopes AS s (key, version) VALUES ($1, 1)
     ON CONFLICT (key) DO UPDATE SET version = s.version + 1`,
    [key],
  );
  return rows.map(({ id }) => id);
}

/** Executions that are due now, each of an event of its own. */
export async function givenExecutions(pool, project, automationId, webhookId, count) {
  const event = JSON.stringify({
    type: 'ADD_ARTIFACT_ALIAS',
    actor: { userId: randomUUID(), username: 'ada' },
    place: {
      teamId: project.teamId,
      entity: project.entity,
      project: { id: project.id, name: project.name },
      registry: null,
    },
    alias: 'production',
    collection: { id: randomUUID(), name: 'agent', type: 'model' },
    version: { id: randomUUID(), index: 0, ref: 'admin/bench/agent:v0', metadata: { accuracy: 0.93 } },
  });
  await pool.query(
    `WITH events AS (
       INSERT INTO automation_events (id, team_id, project_id, type, event, depth)
       SELECT gen_random_uuid(), $1, $2, 'ADD_ARTIFACT_ALIAS', $3, 0 FROM generate_series(1, $6) RETURNING id)
     INSERT INTO automation_executions (id, event_id, automation_id, team_id, webhook_id, state, next_attempt_at)
     SELECT gen_random_uuid(), id, $4, $1, $5, 'PENDING', now() FROM events`,
    [project.teamId, project.id, event, automationId, webhookId, count],
  );
}
