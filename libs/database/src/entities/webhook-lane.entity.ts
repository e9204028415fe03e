import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which worker delivers to a webhook now: only one does, so that limits and order hold over all of them. */
@Entity('webhook_lanes')
export class WebhookLane {
  /** No foreign key: executions of a deleted webhook are ended in its lane. */
  @PrimaryColumn('uuid', { name: 'webhook_id', primaryKeyConstraintName: 'webhook_lanes_pkey' })
  webhookId: string;

  /** A worker process. */
  @Column('uuid')
  owner: string;

  /** By the database's clock. A worker that dies loses the lane then. */
  @Column('timestamptz', { name: 'owned_until' })
  ownedUntil: Date;
}
