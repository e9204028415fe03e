import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { User } from './user.entity.js';

/** A credential. Only its digest is stored: the key itself is shown once, when it is made. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Index('api_keys_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  name: string;

  /** SHA-256 of the key. Keys carry 256 random bits, so a slow hash would add nothing. */
  @Index('api_keys_digest_key', { unique: true })
  @Column('bytea')
  digest: Buffer;

  /** First characters of the key, so that its owner can tell keys apart. */
  @Column('text')
  prefix: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Kept to the minute: writing it on each request would cost more than the look-up. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_id_fkey' })
  user: User;
}
