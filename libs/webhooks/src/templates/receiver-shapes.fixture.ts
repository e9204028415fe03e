/** What receivers document of their bodies, as JSON Schema. */
export const RECEIVER_SHAPES: Readonly<Record<string, object>> = {
  // Up to 50 blocks; text of a section 3,000 characters, up to 10 elements in a context; no text is empty.
  slack: {
    type: 'object',
    required: ['text'],
    additionalProperties: false,
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 40_000 },
      blocks: {
        type: 'array',
        maxItems: 50,
        items: {
          oneOf: [
            {
              required: ['type', 'text'],
              additionalProperties: false,
              properties: { type: { const: 'section' }, text: { $ref: '#/$defs/text' } },
            },
            {
              required: ['type', 'elements'],
              additionalProperties: false,
              properties: {
                type: { const: 'context' },
                elements: { type: 'array', minItems: 1, maxItems: 10, items: { $ref: '#/$defs/text' } },
              },
            },
          ],
        },
      },
    },
    $defs: {
      text: {
        type: 'object',
        required: ['type', 'text'],
        additionalProperties: false,
        properties: {
          type: { enum: ['plain_text', 'mrkdwn'] },
          text: { type: 'string', minLength: 1, maxLength: 3000 },
        },
      },
    },
  },
  // One of content, embeds, ... is required; a title has 256 characters, a description 4,096.
  discord: {
    type: 'object',
    required: ['content'],
    additionalProperties: false,
    properties: {
      content: { type: 'string', minLength: 1, maxLength: 2000 },
      embeds: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            title: { type: 'string', minLength: 1, maxLength: 256 },
            description: { type: 'string', minLength: 1, maxLength: 4096 },
          },
        },
      },
      allowed_mentions: {
        type: 'object',
        additionalProperties: false,
        properties: { parse: { type: 'array', items: { enum: ['roles', 'users', 'everyone'] } } },
      },
    },
  },
  'microsoft-teams': {
    type: 'object',
    required: ['type', 'attachments'],
    additionalProperties: false,
    properties: {
      type: { const: 'message' },
      attachments: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['contentType', 'content'],
          additionalProperties: false,
          properties: {
            contentType: { const: 'application/vnd.microsoft.card.adaptive' },
            contentUrl: { type: 'null' },
            content: {
              type: 'object',
              required: ['type', 'version', 'body'],
              properties: {
                type: { const: 'AdaptiveCard' },
                version: { pattern: '^1\\.[0-5]$' },
                body: {
                  type: 'array',
                  items: {
                    oneOf: [
                      {
                        required: ['type', 'text'],
                        properties: { type: { const: 'TextBlock' }, text: { type: 'string', minLength: 1 } },
                      },
                      {
                        required: ['type', 'facts'],
                        properties: {
                          type: { const: 'FactSet' },
                          facts: {
                            type: 'array',
                            items: {
                              type: 'object',
                              required: ['title', 'value'],
                              additionalProperties: false,
                              properties: { title: { type: 'string' }, value: { type: 'string' } },
                            },
                          },
                        },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  // At most 10 properties at the top of client_payload, and 100 characters of event_type.
  'github-dispatch': {
    type: 'object',
    required: ['event_type'],
    additionalProperties: false,
    properties: {
      event_type: { type: 'string', minLength: 1, maxLength: 100 },
      client_payload: { type: 'object', maxProperties: 10 },
    },
  },
};
