import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { InjectRepository } from '@nestjs/typeorm';
import { type DisabledReason, Webhook } from '@heddle/database';
import { findPage, type PageQuery } from '@heddle/http';
import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';

/** What a webhook looks like after it got well, or was enabled again. */
export const WELL = { consecutiveFailures: 0, failingSince: null, pausedUntil: null } as const;

/** How a webhook fares after a failed attempt. */
export interface FailingWebhook {
  consecutiveFailures: number;
  /** Time of the first failure since the last success. */
  failingSince: Date;
  /** Nothing is to be sent before. */
  pausedUntil: Date | null;
}

/** So many failures in a row pause a webhook, */
const FAILURES_TO_PAUSE = 5;
/** for so long, and for twice the time with each further failure, */
const FIRST_PAUSE_SECONDS = 60;
/** up to this. */
const LONGEST_PAUSE_SECONDS = 3600;

const RECORD_FAILURE = `
  UPDATE webhooks SET
    consecutive_failures = consecutive_failures + 1,
    failing_since = coalesce(failing_since, $2), paused_at = $2,
    paused_until = CASE WHEN consecutive_failures + 1 >= $3 THEN $2::timestamptz + make_interval(secs =>
      least($4 * 2.0 ^ least(consecutive_failures + 1 - $3, 30), $5)) END
  WHERE id = $1
  RETURNING consecutive_failures AS "consecutiveFailures", failing_since AS "failingSince", paused_until AS "pausedUntil"`;

const PAUSE = `
  UPDATE webhooks SET paused_until = greatest(paused_until, $2::timestamptz), paused_at = $3
   WHERE id = $1 RETURNING paused_until AS until`;

/** What was paused in what is the future now stays so for as long as it was to. */
const REPLAN_PAUSES = `
  UPDATE webhooks SET paused_at = $1, paused_until = paused_until - (paused_at - $1::timestamptz)
   WHERE paused_until > $1 AND paused_at > $1::timestamptz + make_interval(secs => $2)`;

/** One write a minute for a webhook that is well. */
const RECORD_SUCCESS = `
  UPDATE webhooks SET consecutive_failures = 0, failing_since = NULL, paused_until = NULL, last_success_at = $2
  WHERE id = $1 AND (consecutive_failures > 0 OR last_success_at IS NULL
    OR last_success_at < $2::timestamptz - interval '1 minute')`;

/** Whether a user administers one of the team's projects or registries. */
const grantedTo = (userId: string): string => `
  EXISTS (SELECT FROM project_members m JOIN projects p ON p.id = m.project_id
           WHERE p.team_id = team.id AND m.user_id = ${userId} AND m.role = 'admin')
  OR EXISTS (SELECT FROM registry_members m JOIN registries r ON r.id = m.registry_id
              WHERE r.team_id = team.id AND m.user_id = ${userId} AND m.role = 'admin')`;

@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  /** A team's own webhook. */
  find(teamId: string, id: string, db: EntityManager = this.webhooks.manager): Promise<Webhook | null> {
    return db.findOneBy(Webhook, { teamId, id });
  }

  /** Those that send the secret or sign with it, by name. */
  findBySecret(db: EntityManager, teamId: string, secret: string): Promise<Webhook[]> {
    const where = [
      { teamId, accessTokenRef: secret },
      { teamId, secretRef: secret },
    ];
    return db.find(Webhook, { where, order: { name: 'ASC' } });
  }

  /** A webhook of the team, if the caller may have automations use it. */
  findUsable(caller: Principal, team: string, id: string, db = this.webhooks.manager): Promise<Webhook | null> {
    return this.usable(caller, db).andWhere('team.name = :team AND webhook.id = :id', { team, id }).getOne();
  }

  /** Whether the caller may have automations use the team's webhooks, if it has any. */
  async mayUseAnyOf(caller: Principal, team: string): Promise<boolean> {
    if (caller.teams.has(team)) return true;
    const sql = `SELECT FROM teams team WHERE team.name = $1 AND (${grantedTo('$2')})`;
    return (await this.webhooks.query<unknown[]>(sql, [team, caller.userId])).length > 0;
  }

  /** With their teams. */
  findUsablePage(caller: Principal, team: string | undefined, query: PageQuery): Promise<Webhook[]> {
    const list = this.usable(caller, this.webhooks.manager);
    if (team !== undefined) list.andWhere('team.name = :team', { team });
    return findPage(list, query);
  }

  private usable({ teams, userId }: Principal, db: EntityManager): SelectQueryBuilder<Webhook> {
    const teamIds = [...teams.values()].map(({ teamId }) => teamId);
    return db
      .createQueryBuilder(Webhook, 'webhook')
      .innerJoinAndSelect('webhook.team', 'team')
      .where(`(team.id = ANY(:teamIds) OR ${grantedTo(':userId')})`, { teamIds, userId });
  }

  findPage(teamId: string, query: PageQuery): Promise<Webhook[]> {
    return findPage(this.webhooks.createQueryBuilder('webhook').where('webhook.teamId = :teamId', { teamId }), query);
  }

  /** @returns null where the webhook is gone */
  async recordFailure(id: string, at: Date): Promise<FailingWebhook | null> {
    const parameters = [id, at, FAILURES_TO_PAUSE, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS];
    const [rows] = await this.webhooks.query<[FailingWebhook[], number]>(RECORD_FAILURE, parameters);
    return rows[0] ?? null;
  }

  /**
   * Lets nothing be sent before `until`; a longer pause stays.
   * @returns until when; null where the webhook is gone
   */
  async pauseUntil(id: string, until: Date, now: Date): Promise<Date | null> {
    const [rows] = await this.webhooks.query<[{ until: Date }[], number]>(PAUSE, [id, until, now]);
    return rows[0]?.until ?? null;
  }

  /** After a clock was set back by more than the slack. @returns how many pauses are shorter now */
  async replanPauses(now: Date, slackSeconds: number): Promise<number> {
    const [, count] = await this.webhooks.query<[unknown[], number]>(REPLAN_PAUSES, [now, slackSeconds]);
    return count;
  }

  /** Somebody who says "now" knows better than a pause. Failures are still counted: one request at a time finds out. */
  async endPause(db: EntityManager, id: string): Promise<void> {
    await db.update(Webhook, { id }, { pausedUntil: null });
  }

  async recordSuccess(id: string, at: Date): Promise<void> {
    await this.webhooks.query(RECORD_SUCCESS, [id, at]);
  }

  /** @returns whether it was enabled until now */
  async disable(id: string, disabledReason: DisabledReason): Promise<boolean> {
    const { affected } = await this.webhooks.update({ id, enabled: true }, { enabled: false, disabledReason });
    return affected === 1;
  }
}
