import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** A schema of the API's description, as decorators take it. */
export type SchemaObject = Exclude<Schemas[string], { $ref: string }>;
