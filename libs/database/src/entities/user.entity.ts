import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Team } from './team.entity.js';

/** A person or a service that holds API keys. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Unique; what `wb_user_id` and `event_author` show. */
  @Index('users_username_key', { unique: true })
  @Column('text')
  username: string;

  @Column('text', { nullable: true })
  email: string | null;

  /** Administrators of the instance manage users and teams; they read no team's data by that alone. */
  @Column('boolean', { name: 'is_admin', default: false })
  isAdmin: boolean;

  /** The team that stands for a null `entity`. */
  @Column('uuid', { name: 'default_team_id', nullable: true })
  defaultTeamId: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Team, { nullable: true, onDelete: 'SET NULL' })
  @JoinColumn({ name: 'default_team_id', foreignKeyConstraintName: 'users_default_team_id_fkey' })
  defaultTeam: Team | null;
}
