import type { SftExample } from '@heddle/engine';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { TextLine } from './text-lines.js';

/** What is wrong with a line, and where in it. */
export interface LineProblem {
  /** From 1. */
  line: number;
  /** Keys and indices from the line's object on. */
  path: string[];
  msg: string;
}

const nullable = <T extends Type.TSchema>(schema: T) => Compile(Type.Union([schema, Type.Null()]));

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

const MESSAGE_FIELDS = [
  { name: 'role', absent: undefined, check: Compile(Type.Enum(ROLES)), msg: `must be one of ${ROLES.join(', ')}` },
  {
    name: 'content',
    absent: null,
    check: nullable(
      Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) }))]),
    ),
    msg: 'must be a text, an array of parts with a type, or null',
  },
  {
    name: 'tool_calls',
    absent: null,
    check: nullable(
      Type.Array(Type.Object({ function: Type.Object({ name: Type.String(), arguments: Type.String() }) })),
    ),
    msg: 'must be an array of {"function": {"name": text, "arguments": JSON as text}}',
  },
];
const checkTools = nullable(Type.Array(Type.Object({ function: Type.Object({ name: Type.String() }) })));

/**
 * Reads one line of training data: `{"messages": [...], "tools"?: [...]}`, other keys are kept. The last message must be
 * the assistant's. A blank line is nothing: null.
 */
export function readSftLine({ number, text }: TextLine): { example: SftExample } | { problem: LineProblem } | null {
  if (text.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: { line: number, path: [], msg: `is not JSON: ${(error as Error).message.slice(0, 80)}` } };
  }
  const problem = problemOf(value);
  return problem ? { problem: { line: number, ...problem } } : { example: value as SftExample };
}

/** For people: `Line 3, messages.0.role must be ...`. */
export const problemText = ({ line, path, msg }: LineProblem): string =>
  `Line ${line}${path.length > 0 ? `, ${path.join('.')}` : ''} ${msg}`;

function problemOf(value: unknown): Omit<LineProblem, 'line'> | null {
  if (!isObject(value)) return { path: [], msg: 'must be an object with messages' };
  const { messages, tools } = value;
  if (!Array.isArray(messages) || messages.length === 0) {
    return { path: ['messages'], msg: 'must be an array with at least one message' };
  }
  for (const [index, message] of (messages as unknown[]).entries()) {
    const path = ['messages', String(index)];
    if (!isObject(message)) return { path, msg: 'must be a message' };
    const wrong = MESSAGE_FIELDS.find(({ name, absent, check }) => !check.Check(message[name] ?? absent));
    if (wrong) return { path: [...path, wrong.name], msg: wrong.msg };
  }
  const last = messages.length - 1;
  if ((messages[last] as { role: string }).role !== 'assistant') {
    return { path: ['messages', String(last), 'role'], msg: 'must be assistant: the last message is what is learnt' };
  }
  return checkTools.Check(tools ?? null) ? null : { path: ['tools'], msg: 'must be an array of tools with a name' };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
