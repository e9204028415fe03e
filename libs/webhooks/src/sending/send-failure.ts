import { EndpointRefusedError, type RefusalCode, ResolutionError, SendTimeoutError } from './send.errors.js';

/** Why something was not delivered: stable codes, for programs and for the history. */
export type SendFailureCode =
  | RefusalCode
  | ResolutionError['code']
  | SendTimeoutError['code']
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  | 'connection_failed'
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_self_signed'
  | 'tls_untrusted'
  | 'tls_wrong_host'
  | 'tls_failed'
  | 'invalid_response'
  | 'redirect'
  | 'http_error'
  | 'missing_secret'
  | 'secret_unreadable'
  | 'internal_error'
  | 'invalid_access_token'
  | 'invalid_payload'
  | 'payload_too_large';

interface SendFailure {
  code: SendFailureCode;
  message: string;
  /** Whether trying again could help. */
  retriable: boolean;
}

const MESSAGES: Partial<Record<SendFailureCode, string>> = {
  connection_refused: 'Nothing listens there: the connection was refused',
  connection_reset: 'The receiver closed the connection before it had answered',
  host_unreachable: 'The network has no way to the receiver',
  connection_failed: 'The connection failed',
  tls_expired: "The receiver's certificate has expired",
  tls_not_yet_valid: "The receiver's certificate is not valid yet",
  tls_self_signed: "The receiver's certificate, or its issuer's, is self-signed and not trusted",
  tls_untrusted: "The receiver's certificate was issued by nobody who is trusted, or the chain is not complete",
  tls_wrong_host: "The receiver's certificate is for another host",
  tls_failed: 'The receiver speaks no TLS that can be agreed on',
  invalid_response: "The receiver's answer is not HTTP",
};

const SYSTEM_CODES: Readonly<Record<string, SendFailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  ETIMEDOUT: 'connect_timeout',
  EHOSTUNREACH: 'host_unreachable',
  ENETUNREACH: 'host_unreachable',
  EADDRNOTAVAIL: 'host_unreachable',
  EAFNOSUPPORT: 'host_unreachable',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_self_signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  INVALID_CA: 'tls_untrusted',
  INVALID_PURPOSE: 'tls_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  HOSTNAME_MISMATCH: 'tls_wrong_host',
  EPROTO: 'tls_failed',
};

/** What an error of this lib or of Node's network stack means. Anything else is a fault of ours and is thrown on. */
export function sendFailureOf(error: unknown): SendFailure {
  if (error instanceof EndpointRefusedError) return { code: error.code, message: error.message, retriable: false };
  if (error instanceof ResolutionError || error instanceof SendTimeoutError) {
    return { code: error.code, message: error.message, retriable: true };
  }
  const system = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
  if (system === undefined) throw error;
  const code = SYSTEM_CODES[system] ?? familyOf(system);
  return { code, message: MESSAGES[code] ?? 'The receiver gave no answer in time', retriable: true };
}

function familyOf(code: string): SendFailureCode {
  if (code.startsWith('HPE_')) return 'invalid_response';
  if (/^(ERR_SSL|ERR_TLS|CERT_|CRL_|UNABLE_|.*_CERT_)/.test(code)) return 'tls_failed';
  return 'connection_failed';
}
