import type { SftExample, Tool, ToolCall } from '@heddle/engine';
import { BadPlace, type Fields, isObject, listAt, objectAt, textAt } from './bad-place.js';

const CALL = 'must be {"function": {"name": text, "arguments": an object or its JSON as text}}';

/** Tools that the model is told of, by either name. @throws BadPlace */
export function readTools(tools: unknown, functions: unknown): Pick<SftExample, 'tools'> {
  const list = listAt(tools, ['tools'], 'must be an array of tools with a name');
  const older = listAt(functions, ['functions'], 'must be an array of functions with a name');
  if (list?.length && older?.length) throw new BadPlace(['functions'], 'is the older name of tools: there can be one');
  if (older?.length) return { tools: older.map((one, i) => toolOf(one, ['functions', String(i)])) };
  list?.forEach((one, i) => checkTool(one, ['tools', String(i)]));
  return tools === undefined ? {} : { tools: list as Tool[] | null };
}

function checkTool(value: unknown, path: string[]): void {
  const tool = objectAt(value, path, 'must be {"type": "function", "function": {"name": text}}');
  if ((tool['type'] ?? 'function') !== 'function') throw new BadPlace([...path, 'type'], 'must be "function"');
  toolOf(tool['function'], [...path, 'function']);
}

function toolOf(value: unknown, path: string[]): Tool {
  const described = objectAt(value, path, 'must be an object with a name');
  textAt(described['name'], [...path, 'name']);
  if (!isObject(described['parameters'] ?? {})) throw new BadPlace([...path, 'parameters'], 'must be a JSON schema');
  return { type: 'function', function: described as unknown as Tool['function'] };
}

/**
 * Calls of the assistant, of which `function_call` is the older form of one. Arguments are text for who comes after this.
 * @returns what is absent as undefined or null, as it was
 * @throws BadPlace
 */
export function readToolCalls(calls: unknown, older: unknown, path: string[]): ToolCall[] | null | undefined {
  const place = [...path, 'tool_calls'];
  const list = listAt(calls, place, 'must be an array of calls');
  if (isObject(older)) {
    if (list?.length)
      throw new BadPlace([...path, 'function_call'], 'is the older form of tool_calls: there can be one');
    return [{ type: 'function', function: calledFunction(older, [...path, 'function_call']) }];
  }
  if (older !== undefined && older !== null) throw new BadPlace([...path, 'function_call'], 'must be an object');
  return list ? list.map((call, i) => toolCall(call, [...place, String(i)])) : (calls as null | undefined);
}

function toolCall(value: unknown, path: string[]): ToolCall {
  const call = objectAt(value, path, CALL);
  if ((call['type'] ?? 'function') !== 'function') throw new BadPlace([...path, 'type'], 'must be "function"');
  const place = [...path, 'function'];
  return { ...call, function: calledFunction(objectAt(call['function'], place, CALL), place) };
}

function calledFunction(called: Fields, path: string[]): ToolCall['function'] {
  const name = textAt(called['name'], [...path, 'name']);
  return { ...called, name, arguments: argumentsText(called['arguments'], [...path, 'arguments']) };
}

function argumentsText(value: unknown, path: string[]): string {
  if (isObject(value)) return JSON.stringify(value);
  if (value === undefined || value === null || value === '') return '{}';
  if (typeof value === 'string' && isObject(parsed(value))) return value;
  throw new BadPlace(path, 'must be an object, or the JSON of one as text');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
