import { numberOf, type QuerySql, searchableText } from '../../query/query-sql.js';
import { type AttributeSource, isCustomAttribute } from '../typed-attributes.js';

/** SQL, of type json: a span's attributes. */
const ATTRIBUTES = 'COALESCE(s.attributes_search, s.attributes)::json';

/**
 * SQL over `spans s`: the attribute of a dotted key, null where it is missing or of another type. As `typedAttributes`
 * has them: each dot is a level, or part of a name.
 */
export function customAttribute(source: AttributeSource, key: string, sql: QuerySql): string {
  if (!isCustomAttribute(key)) return `NULL::${SQL_TYPES[source]}`;
  const document = sql.derived(ATTRIBUTES);
  const wanted = sql.constant(searchableText(key), 'text');
  const found = sql.derived(`(
    WITH RECURSIVE place (value, rest) AS (
      SELECT ${document}, ${wanted}
      UNION ALL
      SELECT e.value, substr(p.rest, length(e.key) + 2)
      FROM place p CROSS JOIN LATERAL json_each(CASE WHEN json_typeof(p.value) = 'object' THEN p.value END) e
      WHERE p.rest <> '' AND (p.rest = e.key OR starts_with(p.rest, e.key || '.'))
    )
    SELECT p.value FROM place p WHERE p.rest = '' AND json_typeof(p.value) NOT IN ('object', 'null') LIMIT 1)`);
  return sql.derived(VALUES[source](`json_typeof(${found})`, `(${found} #>> '{}')`));
}

const SQL_TYPES: Readonly<Record<AttributeSource, string>> = {
  custom_attrs_string: 'text',
  custom_attrs_int: 'float8',
  custom_attrs_float: 'float8',
  custom_attrs_bool: 'boolean',
};

/** Of larger ones the sum may be none. */
const number = (type: string, text: string, whole: boolean): string =>
  `CASE WHEN ${type} = 'number' AND abs(${numberOf(text)}) < 1e290 AND ${numberOf(text)} % 1 ${whole ? '=' : '<>'} 0
    THEN ${numberOf(text)}::float8 END`;

const VALUES: Readonly<Record<AttributeSource, (type: string, text: string) => string>> = {
  custom_attrs_string: (type, text) => `CASE WHEN ${type} IN ('string', 'array') THEN ${text} END`,
  custom_attrs_int: (type, text) => number(type, text, true),
  custom_attrs_float: (type, text) => number(type, text, false),
  custom_attrs_bool: (type, text) => `CASE WHEN ${type} = 'boolean' THEN ${text}::boolean END`,
};
