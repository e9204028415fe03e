/**
 * - `webhooks`: deliveries to the users' endpoints
 * - `cpu`: short work: metrics, retention, upkeep
 * - `gpu`: training, minutes to hours a job
 */
export const QUEUE_NAMES = ['webhooks', 'cpu', 'gpu'] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];
