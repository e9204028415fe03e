import { ParameterError, ValidationError } from '@heddle/http';

/**
 * What is wrong with a parameter, as the tracing routes say it.
 * @param at where the parameters are, e.g. `['body', 'inputs']`
 */
export function inTraceDialect(error: unknown, at: string[]): unknown {
  if (!(error instanceof ParameterError) || error.status !== 400) return error;
  const place = error.param?.split(/[.[\]]+/).filter((part) => part !== '') ?? [];
  const type = error.code === 'missing_required_parameter' ? 'missing' : 'value_error';
  return ValidationError.at([...at, ...place], error.message, type);
}
