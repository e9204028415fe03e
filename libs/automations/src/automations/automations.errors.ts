import { ConflictError, NotFoundError, ValidationError } from '@heddle/http';

/** Also the answer for what the caller may not know of. */
export class AutomationNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Automation '${id}' not found`, 'automation_not_found');
  }
}

export class TooManyAutomationsError extends ConflictError {
  constructor(limit: number) {
    super(`A scope has at most ${limit} automations: delete one that is not needed`, 'too_many_automations');
  }
}

/** Deleting is for good, so it takes the name. */
export class DeletionNotConfirmedError extends ConflictError {
  constructor() {
    super("Confirm the deletion with the automation's name: ?confirm=<name>", 'deletion_not_confirmed');
  }
}

export class ScopeNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`There is no registry or team '${id}'`, 'scope_not_found');
  }
}

export class EventNotInScopeError extends ValidationError {
  constructor(eventType: string) {
    const msg = `${eventType} does not happen in registries: use project or team scope`;
    super([{ loc: ['body', 'event', 'event_type'], msg, type: 'event_not_in_scope', input: eventType }]);
  }
}

export class ScopeIsFixedError extends ValidationError {
  constructor() {
    super([{ loc: ['body', 'scope'], msg: 'The scope of an automation is fixed: create another one', type: 'fixed' }]);
  }
}

export class ExecutionNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Execution '${id}' not found`, 'execution_not_found');
  }
}

export class ExecutionPendingError extends ConflictError {
  constructor(id: string) {
    super(`Execution '${id}' is being delivered now`, 'execution_pending');
  }
}

/** Nothing can be delivered to it. */
export class WebhookUnfitError extends ConflictError {
  constructor(id: string, code: 'webhook_deleted' | 'webhook_disabled', why: string) {
    super(`Webhook '${id}' ${why}`, code);
  }
}

export class EventNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Event '${id}' not found in the scope of the automation`, 'event_not_found');
  }
}
