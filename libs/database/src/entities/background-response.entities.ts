import { Column, Entity, Index, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm';
import { StoredResponse } from './response.entities.js';

/** A response that was asked for in the background, while it is made and afterwards. */
@Entity('background_responses')
export class BackgroundResponse {
  @PrimaryColumn('text', { name: 'response_id', primaryKeyConstraintName: 'background_responses_pkey' })
  responseId: string;

  /** Whether its events are kept, so that a reader can come back for them. */
  @Column('boolean', { name: 'is_streamed' })
  isStreamed: boolean;

  /** Until when the process that makes it has to say again that it lives; null once the response has ended. */
  @Index('background_responses_lease_until_idx', { where: 'lease_until IS NOT NULL' })
  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @OneToOne(() => StoredResponse, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'response_id', foreignKeyConstraintName: 'background_responses_response_id_fkey' })
  response: StoredResponse;
}

/** Events of a response's stream that became known together. The last event, which holds the whole response, is not among them. */
@Entity('response_events')
export class ResponseEvents {
  @PrimaryColumn('text', { name: 'response_id', primaryKeyConstraintName: 'response_events_pkey' })
  responseId: string;

  /** Number of the first of them. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'response_events_pkey' })
  first: number;

  @Column('integer')
  last: number;

  /** As they are sent. */
  @Column('text')
  text: string;

  @ManyToOne(() => BackgroundResponse, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'response_id', foreignKeyConstraintName: 'response_events_response_id_fkey' })
  background: BackgroundResponse;
}
