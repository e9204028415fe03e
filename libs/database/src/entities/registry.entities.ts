import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Authored } from './authored.js';
import type { PlaceRole } from './project-member.entity.js';
import { Team } from './team.entity.js';
import { User } from './user.entity.js';

/** A team's shelf of collections into which artifact versions are linked once they are fit for use. */
@Entity('registries')
@Index('registries_team_id_name_key', ['teamId', 'name'], { unique: true })
export class Registry extends Authored {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'registries_pkey' })
  id: string;

  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'registries_team_id_fkey' })
  team: Team;
}

@Entity('registry_members')
export class RegistryMember {
  @PrimaryColumn('uuid', { name: 'registry_id', primaryKeyConstraintName: 'registry_members_pkey' })
  registryId: string;

  @Index('registry_members_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'registry_members_pkey' })
  userId: string;

  @Column('text')
  role: PlaceRole;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ManyToOne(() => Registry, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'registry_id', foreignKeyConstraintName: 'registry_members_registry_id_fkey' })
  registry: Registry;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'registry_members_user_id_fkey' })
  user: User;
}
