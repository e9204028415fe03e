import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Team } from './team.entity.js';
import { User } from './user.entity.js';

/** An answer of `/v1/responses` that later requests may go on from. Its user sees it, and the members of its team. */
@Entity('responses')
export class StoredResponse {
  /** `resp_` and hexadecimal digits. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'responses_pkey' })
  id: string;

  /** The team of the model's project, or the default team of who asked a base model. */
  @Index('responses_team_id_idx')
  @Column('uuid', { name: 'team_id', nullable: true })
  teamId: string | null;

  @Index('responses_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** No foreign key: what went before may be deleted. */
  @Column('text', { name: 'previous_id', nullable: true })
  previousId: string | null;

  /** The answer as it was sent: JSON text. */
  @Column('text')
  body: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When it was made, or a request last went on from it: what nobody uses any more goes. */
  @Index('responses_used_at_idx')
  @Column('timestamptz', { name: 'used_at', default: () => 'now()' })
  usedAt: Date;

  @ManyToOne(() => Team, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'team_id', foreignKeyConstraintName: 'responses_team_id_fkey' })
  team: Team | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'responses_user_id_fkey' })
  user: User;
}

/** What was said to get a response, and the response: in the order in which it was said. */
@Entity('response_items')
export class StoredResponseItem {
  @PrimaryColumn('text', { name: 'response_id', primaryKeyConstraintName: 'response_items_pkey' })
  responseId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'response_items_pkey' })
  position: number;

  /** Of the item itself, by which a later request may name it. */
  @Index('response_items_id_idx')
  @Column('text')
  id: string;

  @Column('boolean', { name: 'is_output' })
  isOutput: boolean;

  /** JSON text. */
  @Column('text')
  item: string;

  @ManyToOne(() => StoredResponse, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'response_id', foreignKeyConstraintName: 'response_items_response_id_fkey' })
  response: StoredResponse;
}
