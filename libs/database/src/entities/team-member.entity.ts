import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from './team.entity.js';
import { User } from './user.entity.js';

export const TEAM_ROLES = ['admin', 'member', 'viewer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

@Entity('team_members')
export class TeamMember {
  @PrimaryColumn('uuid', { name: 'team_id', primaryKeyConstraintName: 'team_members_pkey' })
  teamId: string;

  @Index('team_members_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'team_members_pkey' })
  userId: string;

  @Column('text')
  role: TeamRole;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'team_members_team_id_fkey' })
  team: Team;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'team_members_user_id_fkey' })
  user: User;
}
