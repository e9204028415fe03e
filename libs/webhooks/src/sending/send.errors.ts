/** Why an endpoint is never dialled. */
export type RefusalCode =
  'invalid_url' | 'https_required' | 'userinfo_not_allowed' | 'blocked_port' | 'blocked_host' | 'blocked_address';

/** The endpoint is not one that webhooks may reach. Trying again changes nothing. */
export class EndpointRefusedError extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    super(message);
    this.name = 'EndpointRefusedError';
  }
}

/** The endpoint's host name has no address just now. */
export class ResolutionError extends Error {
  constructor(
    readonly code: 'dns_not_found' | 'dns_timeout' | 'dns_failed',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ResolutionError';
  }
}

/** The attempt took longer than it may. */
export class SendTimeoutError extends Error {
  constructor(
    readonly code: 'connect_timeout' | 'timeout',
    message: string,
  ) {
    super(message);
    this.name = 'SendTimeoutError';
  }
}
