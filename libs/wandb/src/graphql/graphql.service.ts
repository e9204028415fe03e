import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { parse } from 'graphql';
import { createHandler, type Handler, type Response } from 'graphql-http';
import { depthLimit } from './depth-limit.rule.js';
import { fieldLimit } from './field-limit.rule.js';
import { formatError } from './format-error.js';
import type { GraphqlContext } from './graphql-context.js';
import { GraphqlServices } from './graphql-services.js';
import { schema } from './schema.js';

/** The clients' own deepest query, of a registry's versions, has 11. */
const MAX_DEPTH = 14;
/** Bounds aliases too: the standard introspection query has about 400. */
const MAX_TOKENS = 2000;
/** With fragments in their places. The clients' own greatest has about 60. */
const MAX_FIELDS = 1000;

export interface GraphqlRequest {
  accept: string | undefined;
  body: Record<string, unknown>;
  /** Where the client reaches this server, without a trailing slash. */
  baseUrl: string;
  requestId: string;
}

type Asked = Pick<GraphqlContext, 'caller' | 'baseUrl' | 'requestId'>;

/** Answers GraphQL over HTTP. */
@Injectable()
export class GraphqlService {
  private readonly handler: Handler<null, Asked>;

  constructor(env: Env, services: GraphqlServices) {
    this.handler = createHandler<null, Asked, GraphqlContext & Record<PropertyKey, unknown>>({
      schema,
      parse: (source, options) => parse(source, { ...options, maxTokens: MAX_TOKENS }),
      validationRules: [depthLimit(MAX_DEPTH), fieldLimit(MAX_FIELDS)],
      context: ({ context }) => ({ ...services, ...context, publicUrl: env.publicUrl }),
      formatError,
    });
  }

  /** @returns the body's text, and status and headers */
  execute(caller: Principal, { accept, body, baseUrl, requestId }: GraphqlRequest): Promise<Response> {
    // The body is parsed already, whatever its content type said.
    const headers = { ...(accept ? { accept } : {}), 'content-type': 'application/json' };
    // Some clients name no operation by an empty name.
    const { operationName, ...rest } = body;
    const request = operationName === '' ? rest : body;
    const context = { caller, baseUrl, requestId };
    return this.handler({ method: 'POST', url: '/graphql', headers, body: request, raw: null, context });
  }
}
