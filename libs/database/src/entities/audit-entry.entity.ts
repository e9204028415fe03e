import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** `UNKNOWN`: it has begun, and the process that did it died before it could say how it ended. */
export const AUDIT_OUTCOMES = ['DONE', 'REFUSED', 'FAILED', 'UNKNOWN'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Somebody's change. It refers to nothing: it outlives the user, the team and what was changed. */
@Entity('audit_entries')
@Index('audit_entries_created_at_idx', ['createdAt', 'id'])
@Index('audit_entries_team_id_created_at_idx', ['teamId', 'createdAt', 'id'])
export class AuditEntry {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'audit_entries_pkey' })
  id: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  username: string;

  /** Whose it is; null where it is the instance's. */
  @Column('uuid', { name: 'team_id', nullable: true })
  teamId: string | null;

  /** Its name at that time. */
  @Column('text', { nullable: true })
  team: string | null;

  /** The operation, as the API's description calls it. */
  @Column('text')
  action: string;

  @Column('text')
  method: string;

  /** Without the query. */
  @Column('text')
  path: string;

  /** Names of the body's fields; never what they hold. */
  @Column('text', { array: true })
  fields: string[];

  /** Id or name of what was made. */
  @Column('text', { nullable: true })
  subject: string | null;

  @Column('text', { default: 'UNKNOWN' })
  outcome: AuditOutcome;

  @Column('text', { name: 'request_id' })
  requestId: string;
}
