import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** One page of a list. A page past the end is an empty one, not an error. */
export interface Page<T> {
  object: 'list';
  data: T[];
  /** Ids of the first and the last item; null on an empty page. `last_id` is the next page's `after`. */
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** A page of `items`, which are what follows the cursor: one more than `limit`, where there are as many. */
export function pageOf<T extends { id: string }>(items: readonly T[], limit: number): Page<T> {
  const data = items.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: items.length > limit,
  };
}

/** Describes a {@link Page} of `item` as the answer of a handler. */
export const ApiPage = (item: Type<{ id: string }>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(item),
    ApiOkResponse({
      description: 'A page of the list. A page past the end is an empty one.',
      schema: {
        type: 'object',
        required: ['object', 'data', 'first_id', 'last_id', 'has_more'],
        properties: {
          object: { type: 'string', enum: ['list'] },
          data: { type: 'array', items: { $ref: getSchemaPath(item) } },
          first_id: { type: 'string', nullable: true },
          last_id: { type: 'string', nullable: true, description: "The next page's `after`" },
          has_more: { type: 'boolean' },
        },
      },
    }),
  );
