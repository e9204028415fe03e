import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { toOpenApi31 } from '@heddle/http';

const DESCRIPTION = `Training, tracing and webhook automations for teams that train language-model agents.

Authorize with an API key: as a bearer token on the routes under \`/v1\`, as the password of basic auth (any user name) on the tracing routes.`;

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
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Any user name; the API key is the password' })
    .build();
  const operationIdFactory = (controller: string, method: string): string =>
    `${controller.replace(/Controller$/, '')}_${method}`;
  return sayWhatIsPublic(toOpenApi31(SwaggerModule.createDocument(app, config, { operationIdFactory })));
}

/** An operation that asks for no key says so, so that a reader can tell it from one that forgot to. */
function sayWhatIsPublic(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as { security?: object[] }[]);
  for (const operation of operations) {
    operation.security ??= [];
  }
  return document;
}

/** Serves `/docs` (Swagger UI, which remembers the key) and `/openapi.json`. */
export function serveDocs(app: INestApplication): void {
  const document = describeApi(app);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Heddle API',
    swaggerOptions: { persistAuthorization: true, tagsSorter: 'alpha', docExpansion: 'none' },
  });
}
