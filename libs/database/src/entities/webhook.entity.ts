import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Edited } from './authored.js';
import { Secret } from './secret.entity.js';
import { Team } from './team.entity.js';

/** Why a webhook is disabled: an administrator did it, its receiver answered 410 Gone, or it failed for too long. */
export const DISABLED_REASONS = ['admin', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An endpoint of a team, and how deliveries to it have been going. */
@Entity('webhooks')
@Index('webhooks_team_id_name_key', ['teamId', 'name'], { unique: true })
@Index('webhooks_access_token_ref_idx', ['teamId', 'accessTokenRef'])
@Index('webhooks_secret_ref_idx', ['teamId', 'secretRef'])
export class Webhook extends Edited {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'url_endpoint' })
  urlEndpoint: string;

  /** Name of the team's secret that is sent as the bearer token. */
  @Column({ type: 'text', name: 'access_token_ref', collation: 'C', nullable: true })
  accessTokenRef: string | null;

  /** Name of the team's secret that signs. */
  @Column({ type: 'text', name: 'secret_ref', collation: 'C', nullable: true })
  secretRef: string | null;

  @Column('boolean')
  enabled: boolean;

  /** null while enabled. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: DisabledReason | null;

  /** Failed attempts since the last success. */
  @Column('integer', { name: 'consecutive_failures', default: 0 })
  consecutiveFailures: number;

  /** Time of the first of them. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince: Date | null;

  /** Until when nothing is sent. */
  @Column('timestamptz', { name: 'paused_until', nullable: true })
  pausedUntil: Date | null;

  /** When it was, by the same clock, that the pause began. */
  @Column('timestamptz', { name: 'paused_at', nullable: true, select: false })
  pausedAt?: Date | null;

  /** Kept to the minute. */
  @Column('timestamptz', { name: 'last_success_at', nullable: true })
  lastSuccessAt: Date | null;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'webhooks_team_id_fkey' })
  team: Team;

  /** No cascade: a secret that a webhook needs can't be deleted. */
  @ManyToOne(() => Secret)
  @JoinColumn({
    name: 'team_id',
    referencedColumnName: 'teamId',
    foreignKeyConstraintName: 'webhooks_access_token_fkey',
  })
  @JoinColumn({
    name: 'access_token_ref',
    referencedColumnName: 'name',
    foreignKeyConstraintName: 'webhooks_access_token_fkey',
  })
  accessToken: Secret | null;

  @ManyToOne(() => Secret)
  @JoinColumn({ name: 'team_id', referencedColumnName: 'teamId', foreignKeyConstraintName: 'webhooks_secret_fkey' })
  @JoinColumn({ name: 'secret_ref', referencedColumnName: 'name', foreignKeyConstraintName: 'webhooks_secret_fkey' })
  secret: Secret | null;
}
