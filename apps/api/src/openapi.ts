import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeOutgoing } from '@heddle/automations';
import { toOpenApi31 } from '@heddle/http';
import { showInvalidFields } from './invalid-examples.js';

const DESCRIPTION = `Training, tracing and webhook automations for teams that train language-model agents.

Authorize with an API key: as a bearer token, or as the password of basic auth (any user name). Either works on every route.
\`GET /v1/me\` says who you are and names your teams: the examples' \`weavers\` stands for one of them.

The examples can be sent as they are, one after the other, on a server that nobody has used: those of users and teams make
the \`ada\` and the \`weavers\` that the others name. Only an id is yours to fill in, as an earlier answer shows it. What deletes
comes last, from the bottom up.

To send a request to some service of yours whenever a model is promoted:

1. Store its access token, and a secret to sign with, at \`POST /v1/teams/{team}/secrets\`.
2. Register its address at \`POST /v1/teams/{team}/webhooks\`, and try that out at \`.../webhooks/{id}/test\`.
3. Say which events it is told of, and in which words, at \`POST /v1/automations\`; try that out at \`.../automations/{id}/evaluate\`.
4. See what was sent, and what it answered, at \`GET /v1/automations/{id}/executions\` and \`GET /v1/executions/{id}/attempts\`.`;

/**
 * In the order of a day's work: people, places, what shall be sent whither, what is released, what was sent; training; what
 * programs send.
 */
const TAGS = {
  accounts: 'Users, teams and their members, API keys',
  projects: 'Places for runs, artifacts and traces',
  registries: 'Collections for the versions that a team releases',
  secrets: 'Access tokens and signing secrets of webhooks',
  webhooks: 'Receivers of events',
  automations: 'What is sent to which webhook on which event',
  artifacts: 'Versions of models and data sets: files, aliases, tags',
  releases: 'Versions in the collections of registries: linked there, with aliases and tags of their own',
  deliveries: 'What automations sent, and what came of it',
  archives: 'Whole projects and runs, to be moved to other projects and servers',
  models: 'Models to train, their checkpoints, and what was logged of them',
  training: 'Jobs that train models, and their events',
  chat: 'Answers of models, as OpenAI clients ask for them',
  runs: 'Training runs, their states and metrics',
  tracing: 'Calls, objects, tables, files, feedback and costs, as the Weave SDKs send them',
  wandb: 'Runs and artifacts, as the wandb SDK sends them',
  health: 'Probes, system check, metrics',
};

/** The machine-readable description, made from the controllers and their DTOs. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Heddle')
    .setVersion('1.0.0')
    .setDescription(DESCRIPTION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key' })
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Any user name; the API key is the password' });
  for (const [name, description] of Object.entries(TAGS)) config.addTag(name, description);
  const operationIdFactory = (controller: string, method: string): string =>
    `${controller.replace(/Controller$/, '')}_${method}`;
  const document = toOpenApi31(SwaggerModule.createDocument(app, config.build(), { operationIdFactory }));
  return {
    ...showInvalidFields(leaveOptionalParametersEmpty(sayWhatIsPublic(document))),
    webhooks: describeOutgoing(),
  };
}

interface Operation {
  security?: object[];
  parameters?: { required?: boolean; schema?: { example?: unknown; examples?: unknown[] } }[];
}

const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[]);

/** An operation that asks for no key says so, so that a reader can tell it from one that forgot to. */
function sayWhatIsPublic(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) operation.security ??= [];
  return document;
}

/** Swagger UI fills an `example` into its form and sends it: a filter that nobody asked for. It leaves `examples` alone. */
function leaveOptionalParametersEmpty(document: OpenAPIObject): OpenAPIObject {
  const parameters = operationsOf(document).flatMap((operation) => operation.parameters ?? []);
  for (const { required, schema } of parameters)
    if (!required && schema?.example !== undefined) {
      schema.examples = [schema.example];
      delete schema.example;
    }
  return document;
}
