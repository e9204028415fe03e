import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Project } from './project.entity.js';
import { Registry } from './registry.entities.js';
import { Team } from './team.entity.js';

/** A domain event as it happened, for what is rendered later and for finding out why nothing fired. */
@Entity('automation_events')
@Index('automation_events_team_id_created_at_idx', ['teamId', 'createdAt', 'id'])
@Index('automation_events_project_id_created_at_idx', ['projectId', 'createdAt', 'id'])
@Index('automation_events_registry_id_created_at_idx', ['registryId', 'createdAt', 'id'])
export class AutomationEvent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'automation_events_pkey' })
  id: string;

  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column('integer', { name: 'project_id', nullable: true })
  projectId: number | null;

  @Column('uuid', { name: 'registry_id', nullable: true })
  registryId: string | null;

  @Column('text')
  type: string;

  /** The domain event as JSON text. */
  @Column('text')
  event: string;

  /** How many automations stand between it and something that a person did. */
  @Column('smallint')
  depth: number;

  /** Those automations, the first one first. */
  @Column('uuid', { array: true, default: () => "'{}'" })
  chain: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'automation_events_team_id_fkey' })
  team: Team;

  @ManyToOne(() => Project, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'automation_events_project_id_fkey' })
  project: Project | null;

  @ManyToOne(() => Registry, { nullable: true, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'registry_id', foreignKeyConstraintName: 'automation_events_registry_id_fkey' })
  registry: Registry | null;
}
