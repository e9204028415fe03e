import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The owner of projects, secrets and webhooks; its name is the `entity` of the wire formats. */
@Entity('teams')
export class Team {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Index('teams_name_key', { unique: true })
  @Column('text')
  name: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
