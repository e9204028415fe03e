import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Edited } from './authored.js';
import { Team } from './team.entity.js';

/** A team's sensitive string. The value exists only encrypted; see `SecretVaultService`. An edit sets another value. */
@Entity('secrets')
@Index('secrets_team_id_name_key', ['teamId', 'name'], { unique: true })
export class Secret extends Edited {
  /** Made before the row, since the encryption is bound to it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'secrets_pkey' })
  id: string;

  @Column('uuid', { name: 'team_id' })
  teamId: string;

  @Column({ type: 'text', collation: 'C' })
  name: string;

  /** 1, and one more with each rotation. */
  @Column('integer')
  version: number;

  /** Which key-encryption key encrypted the value. */
  @Index('secrets_key_id_idx')
  @Column('text', { name: 'key_id' })
  keyId: string;

  @Column('bytea')
  nonce: Buffer;

  /** AES-256-GCM, the tag at its end. */
  @Column('bytea')
  ciphertext: Buffer;

  @ManyToOne(() => Team, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'secrets_team_id_fkey' })
  team: Team;
}
