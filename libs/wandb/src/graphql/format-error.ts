import { Logger } from '@nestjs/common';
import { ApiError, unavailableFor, ValidationError } from '@heddle/http';
import { GraphQLError } from 'graphql';

const logger = new Logger('GraphQL');

/**
 * The error as the client sees it, with `extensions.code`. The Python SDK explains `PERMISSION_ERROR` to its user, and
 * shows any other error as it is.
 */
export function formatError(error: Readonly<GraphQLError | Error>): GraphQLError {
  const cause = error instanceof GraphQLError ? error.originalError : error;
  const place = error instanceof GraphQLError ? { nodes: error.nodes, path: error.path, source: error.source } : {};
  // Syntax and validation errors, and those of graphql-http about the request's form, are for the client.
  if (!cause || cause instanceof GraphQLError || !(error instanceof GraphQLError)) {
    return new GraphQLError(error.message, { ...place, extensions: { code: 'BAD_REQUEST' } });
  }
  if (cause instanceof ApiError) {
    return new GraphQLError(cause.message, { ...place, extensions: { code: codeOf(cause), status: cause.status } });
  }
  // The whole request: SDKs try a 503 again, and show their users what stands in an answer.
  const unavailable = unavailableFor(cause);
  if (unavailable) throw unavailable;
  logger.error({ err: cause }, 'resolver failed');
  return new GraphQLError('Internal server error', { ...place, extensions: { code: 'INTERNAL_ERROR' } });
}

function codeOf(error: ApiError): string {
  if (error instanceof ValidationError) return 'BAD_USER_INPUT';
  // Another team's entity is answered as a missing one; to the client both mean that it may not go there.
  return error.status === 403 || error.status === 404 ? 'PERMISSION_ERROR' : error.code.toUpperCase();
}
