import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Edited } from './authored.js';
import { Project } from './project.entity.js';
import { Registry } from './registry.entities.js';
import { Team } from './team.entity.js';

export const SCOPE_TYPES = ['REGISTRY', 'PROJECT', 'TEAM'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

/** Counts changes to the automations of a scope, so that a process knows whether what it remembers of them still holds. */
@Entity('automation_scopes')
export class AutomationScope {
  /** As {@link Automation.scopeKey}. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'automation_scopes_pkey' })
  key: string;

  /** A bigint, hence text. */
  @Column('bigint')
  version: string;
}

/** Watches events in a scope and sends a request to a webhook for each that matches. */
@Entity('automations')
@Index('automations_scope_key_event_type_idx', ['scopeKey', 'eventType'])
@Index('automations_team_id_created_at_idx', ['teamId', 'createdAt', 'id'])
export class Automation extends Edited {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'automations_pkey' })
  id: string;

  /** `TEAM:<id>`, `PROJECT:<id>` or `REGISTRY:<id>`. */
  @Column({ type: 'text', name: 'scope_key', collation: 'C' })
  scopeKey: string;

  @Column('text', { name: 'scope_type' })
  scopeType: ScopeType;

  /** Owner of the scope. */
  @Column('uuid', { name: 'team_id' })
  teamId: string;

  /** Set for project scope. */
  @Index('automations_project_id_idx')
  @Column('integer', { name: 'project_id', nullable: true })
  projectId: number | null;

  /** Set for registry scope. */
  @Index('automations_registry_id_idx')
  @Column('uuid', { name: 'registry_id', nullable: true })
  registryId: string | null;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean')
  enabled: boolean;

  @Column('text', { name: 'event_type' })
  eventType: string;

  /** A JSON object as text: jsonb would refuse U+0000. */
  @Column('text')
  filter: string;

  /** Owner of the webhook. */
  @Index('automations_action_team_id_idx')
  @Column('uuid', { name: 'action_team_id' })
  actionTeamId: string;

  /** No foreign key: an automation outlives its webhook, and says in its history that it's gone. */
  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  /** The payload's template. */
  @Column('text', { name: 'request_payload' })
  requestPayload: string;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'automations_team_id_fkey' })
  team: Team;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'action_team_id', foreignKeyConstraintName: 'automations_action_team_id_fkey' })
  actionTeam: Team;

  @ManyToOne(() => Project, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'automations_project_id_fkey' })
  project: Project | null;

  @ManyToOne(() => Registry, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'registry_id', foreignKeyConstraintName: 'automations_registry_id_fkey' })
  registry: Registry | null;
}
