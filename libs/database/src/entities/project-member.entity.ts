import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Project } from './project.entity.js';
import { User } from './user.entity.js';

/** Roles in a project or a registry, the strongest first. Each may do what those after it may. */
export const PLACE_ROLES = ['admin', 'member', 'viewer'] as const;
export type PlaceRole = (typeof PLACE_ROLES)[number];

/** A role that differs from what the team gives: a team member's in this project, or that of somebody from outside. */
@Entity('project_members')
export class ProjectMember {
  @PrimaryColumn('integer', { name: 'project_id', primaryKeyConstraintName: 'project_members_pkey' })
  projectId: number;

  @Index('project_members_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'project_members_pkey' })
  userId: string;

  @Column('text')
  role: PlaceRole;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'project_members_project_id_fkey' })
  project: Project;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'project_members_user_id_fkey' })
  user: User;
}
