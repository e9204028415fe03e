import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The owner of projects, secrets and webhooks; its name is the `entity` of the wire formats. */
@Entity('teams')
export class Team {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  @Index('teams_name_key', { unique: true })
  @Column('text')
  name: string;

  /** For how long versions of artifacts stay, where neither they nor their collections say so; null: for good. A bigint, hence text. */
  @Column('bigint', { name: 'artifact_ttl_seconds', nullable: true })
  artifactTtlSeconds: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
