import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import type { Literal } from './operand.js';

/** What PostgreSQL's numeric surely takes, and no calculation makes unreasonably large. */
const NUMBER = /^.{1,400}$/;
const EXPONENT = /e[+-]?\d{4,}$/i;

/** Reads a literal's own text: a number keeps all its digits. */
export function readLiteral(node: JsonNode, loc: (string | number)[]): Literal {
  switch (node.kind) {
    case 'null':
      return { type: 'null' };
    case 'boolean':
      return { type: 'boolean', value: node.text() };
    case 'string':
      return { type: 'string', value: node.string() ?? '' };
    case 'number': {
      const digits = node.text();
      if (NUMBER.test(digits) && !EXPONENT.test(digits)) return { type: 'number', digits };
      throw ValidationError.at(loc, 'The number is too large', 'number_too_large');
    }
    default:
      throw ValidationError.at(loc, 'must be a string, a number, a boolean or null', 'literal_type');
  }
}
