export { indexJson, indexJsonSync, type IndexOptions } from './index-json.js';
export { JsonError, JsonLimitError, JsonSyntaxError } from './json.errors.js';
export type { JsonKind } from './json-index.js';
export { JsonNode } from './json-node.js';
export type { ScanOptions } from './json-scanner.js';
export { appendMember, jsonArray, jsonObject, raw, RawJson, type JsonMember } from './json-writer.js';
export { findRefs } from './references.js';
export { isPlain, searchable, searchableSync } from './searchable.js';
export { decodeText, encodeText } from './text-codec.js';
