import { Column, CreateDateColumn } from 'typeorm';

/** Columns of what somebody made. */
export abstract class Authored {
  /** Username. */
  @Column('text', { name: 'created_by' })
  createdBy: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

/** Columns of what somebody made and somebody may change. */
export abstract class Edited extends Authored {
  /** Username of who made the last change. */
  @Column('text', { name: 'updated_by' })
  updatedBy: string;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
