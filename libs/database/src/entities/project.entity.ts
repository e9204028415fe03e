import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Team } from './team.entity.js';

/** `entity/project`. Calls, runs, artifacts and models belong to one. */
@Entity('projects')
@Index('projects_team_id_name_key', ['teamId', 'name'], { unique: true })
export class Project {
  /** An integer, since it leads every index over calls; the wire knows projects by name. */
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'projects_pkey',
  })
  id: number;

  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column('text')
  name: string;

  /** Days for which the project's calls are kept; 0 keeps them for ever; null: the instance's setting. */
  @Column('integer', { name: 'retention_days', nullable: true })
  retentionDays: number | null;

  /** Whether chat completions with the project's models become calls. */
  @Column('boolean', { name: 'chat_tracing', default: false })
  chatTracing: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'projects_team_id_fkey' })
  team: Team;
}
