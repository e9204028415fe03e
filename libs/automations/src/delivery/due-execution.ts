import type { EventType } from '../events/event-types.js';

/** An execution that is due, with all that its request is made of but the webhook and its secrets. */
export interface DueExecution {
  id: string;
  /** Shows the API that a call of the receiver's is caused by this. */
  cause_token: string;
  webhook_id: string;
  /** Made before this one. */
  attempts: number;
  round_attempts: number;
  next_attempt_at: Date;
  /** The domain event as JSON text. */
  event: string;
  /** What the automation's condition found, as JSON text. */
  variables: string | null;
  event_type: EventType;
  automation_name: string;
  request_payload: string;
}
