import { ConflictError, NotFoundError } from '@heddle/http';

export class QueueNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Annotation queue '${id}' not found`, 'annotation_queue_not_found');
  }
}

export class QueueItemNotFoundError extends NotFoundError {
  constructor(id: string, queueId: string) {
    super(`Queue item '${id}' not found in annotation queue '${queueId}'`, 'annotation_queue_item_not_found');
  }
}

export class AnnotationStateError extends ConflictError {
  constructor(from: string, to: string) {
    super(`What is '${from}' can't become '${to}': only what is in progress can change`, 'annotation_state_conflict');
  }
}
