import type { OpenAPIObject } from '@nestjs/swagger';
import { toOpenApi31 } from './openapi-31.js';

const convert = (schema: object): unknown =>
  (toOpenApi31({ schema } as unknown as OpenAPIObject) as unknown as { schema: unknown }).schema;

describe('toOpenApi31', () => {
  it('turns nullable into a type', () => {
    expect(convert({ type: 'string', nullable: true })).toEqual({ type: ['string', 'null'] });
  });

  it('allows null in a nullable enumeration', () => {
    expect(convert({ type: 'string', enum: ['a'], nullable: true })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });

  it('turns a nullable reference into an alternative, and keeps its description', () => {
    expect(convert({ allOf: [{ $ref: '#/x' }], nullable: true, description: 'd' })).toEqual({
      description: 'd',
      anyOf: [{ $ref: '#/x' }, { type: 'null' }],
    });
  });

  it('says of fields of any name that they are additional, which every generator of clients knows', () => {
    const numbers = { type: 'number' };
    expect(convert({ type: 'object', patternProperties: { '^.*$': numbers } })).toEqual({
      type: 'object',
      additionalProperties: numbers,
    });
    const some = { type: 'object', patternProperties: { '^x-': numbers } };
    expect(convert(some)).toEqual(some);
  });

  it('drops nullable: false', () => {
    expect(convert({ type: 'string', nullable: false })).toEqual({ type: 'string' });
  });

  it('reaches every depth', () => {
    expect(convert({ properties: { a: { items: { type: 'number', nullable: true } } } })).toEqual({
      properties: { a: { items: { type: ['number', 'null'] } } },
    });
  });

  it('leaves examples alone: they are data', () => {
    expect(convert({ example: { nullable: true, type: 'x' } })).toEqual({ example: { nullable: true, type: 'x' } });
  });
});
