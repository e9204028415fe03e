import { Logger } from '@nestjs/common';
import { ConflictError, ValidationError } from '@heddle/http';
import { EntityNotFoundError } from '@heddle/projects';
import { GraphQLError } from 'graphql';
import { formatError } from './format-error.js';

describe('formatError', () => {
  const thrownByResolver = (originalError: Error): GraphQLError =>
    formatError(new GraphQLError(originalError.message, { originalError, path: ['upsertModel'] }));

  it('names what the caller may not use in the way that the Python SDK explains', () => {
    const error = thrownByResolver(new EntityNotFoundError('acme'));
    expect(error.extensions['code']).toBe('PERMISSION_ERROR');
    expect(error.message).toContain('acme');
    expect(error.path).toEqual(['upsertModel']);
  });

  it('keeps the codes of other errors of ours', () => {
    expect(thrownByResolver(new ConflictError('taken', 'name_taken')).extensions['code']).toBe('NAME_TAKEN');
    expect(thrownByResolver(ValidationError.at(['name'], 'bad', 'name')).extensions['code']).toBe('BAD_USER_INPUT');
  });

  it('hides the message of an internal error', () => {
    Logger.overrideLogger(false);
    const error = thrownByResolver(new Error('relation "projects" does not exist'));
    expect(error.toJSON()).toMatchObject({ message: 'Internal server error', extensions: { code: 'INTERNAL_ERROR' } });
  });

  it('shows errors in the query', () => {
    expect(formatError(new GraphQLError('Cannot query field "x"')).message).toBe('Cannot query field "x"');
    expect(formatError(new Error('Missing query')).message).toBe('Missing query');
  });
});
