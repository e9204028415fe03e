export { addInTime } from './add-in-time.js';
export { HandlesJob, type JobHandler, type JobHandlerOptions } from './job-handler.js';
export { JobRouter } from './job.router.js';
export { prepareQueues } from './prepare-queues.js';
export { QueueConnection } from './queue.connection.js';
export { QUEUE_NAMES, type QueueName } from './queue-names.js';
export { QueueWorker, WORKER_OPTIONS } from './queue-worker.js';
export { QueuesModule } from './queues.module.js';
export { QueuesUnusableError } from './queues.errors.js';
