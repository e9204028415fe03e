import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { isWritableObject, Opaque, unhideOpaque } from '@heddle/http';
import { PAYLOAD_VARIABLES } from '@heddle/secrets';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy } from 'class-validator';

const REPOSITORY_DISPATCH = {
  event_type: 'model-promoted',
  client_payload: {
    event_author: '${event_author}',
    artifact_version: '${artifact_version}',
    artifact_version_string: '${artifact_version_string}',
    artifact_collection_name: '${artifact_collection_name}',
    project_name: '${project_name}',
    entity_name: '${entity_name}',
  },
};

const VARIABLES = PAYLOAD_VARIABLES.map((name) => `\`\${${name}}\``).join(', ');

/** What a payload may hold, for whoever writes one; Markdown. */
export const PLACEHOLDERS_DESCRIPTION = [
  `A payload may hold ${VARIABLES}, and \`\${artifact_metadata.KEY}\` for a key of the version's metadata;`,
  "what an event doesn't have is empty. Where JSON has no number, `${metric_value}` is the text `NaN`, `Infinity` or `-Infinity`.",
  "`${ACCESS_TOKEN}` is the webhook's access token, `$NAME` its secret of that name.",
].join(' ');

/**
 * An optional payload: JSON with placeholders, or its text, where placeholders may also stand without quotes. What it
 * holds is for `readPayload` to check, which knows the webhook.
 */
export const IsPayload = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Opaque,
    Transform(unhideOpaque),
    ValidateBy({
      name: 'isPayload',
      validator: {
        validate: (value: unknown) => typeof value === 'string' || isWritableObject(value),
        defaultMessage: () => '$property must be a JSON object, or JSON text',
      },
    }),
    ApiPropertyOptional({
      oneOf: [
        { type: 'object', additionalProperties: true },
        {
          type: 'string',
          example: '{"model": "${artifact_version_string}", "accuracy": ${artifact_metadata.accuracy}}',
        },
      ],
      example: REPOSITORY_DISPATCH,
    }),
  );
