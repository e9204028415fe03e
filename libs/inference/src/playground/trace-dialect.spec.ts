import { ApiError, ParameterError, ValidationError } from '@heddle/http';
import { inTraceDialect } from './trace-dialect.js';

describe('inTraceDialect', () => {
  it('names the place of a parameter in the body', () => {
    const missing = new ParameterError('messages[0].role', 'messages[0].role is required', {
      code: 'missing_required_parameter',
    });
    const error = inTraceDialect(missing, ['body', 'inputs']) as ValidationError;
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.detail).toMatchObject([
      { loc: ['body', 'inputs', 'messages', '0', 'role'], msg: 'messages[0].role is required', type: 'missing' },
    ]);
  });

  it('leaves what is no fault of a parameter', () => {
    const others = [new ApiError(404, 'model_not_found', 'x'), new ParameterError('model', 'x', { status: 404 }), 'x'];
    expect(others.map((error) => inTraceDialect(error, ['body']))).toEqual(others);
  });
});
