import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { Env } from '@heddle/config';
import { ProjectAccessService } from '@heddle/projects';
import { parse } from 'graphql';
import { createHandler, type Handler, type Response } from 'graphql-http';
import { depthLimit } from './depth-limit.rule.js';
import { formatError } from './format-error.js';
import type { GraphqlContext } from './graphql-context.js';
import { schema } from './schema.js';

const MAX_DEPTH = 10;
/** Bounds aliases too: the standard introspection query has about 400. */
const MAX_TOKENS = 2000;

export interface GraphqlRequest {
  accept: string | undefined;
  body: Record<string, unknown>;
}

/** Answers GraphQL over HTTP. */
@Injectable()
export class GraphqlService {
  private readonly handler: Handler<null, Principal>;

  constructor(projects: ProjectAccessService, env: Env) {
    this.handler = createHandler<null, Principal, GraphqlContext & Record<PropertyKey, unknown>>({
      schema,
      parse: (source, options) => parse(source, { ...options, maxTokens: MAX_TOKENS }),
      validationRules: [depthLimit(MAX_DEPTH)],
      context: ({ context: caller }) => ({ caller, projects, publicUrl: env.publicUrl }),
      formatError,
    });
  }

  /** @returns the body's text, and status and headers */
  execute(caller: Principal, { accept, body }: GraphqlRequest): Promise<Response> {
    // The body is parsed already, whatever its content type said.
    const headers = { ...(accept ? { accept } : {}), 'content-type': 'application/json' };
    return this.handler({ method: 'POST', url: '/graphql', headers, body, raw: null, context: caller });
  }
}
