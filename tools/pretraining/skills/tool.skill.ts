import type { ChatMessage } from '../../../libs/engine/src/protocol/chat.js';
import { comparisonSkill } from './number.skill.js';
import { copySkill } from './copy.skill.js';
import { jsonText } from '../material/json-text.js';
import { oppositeSkill } from './knowledge.skill.js';
import { letterSkill } from './letters.skill.js';
import type { Random } from '../material/random.js';
import { ask, fill, type Skill, type TrainingChat, vary, type WordingSet } from '../material/skill.js';
import { offered, TOOL_HELD_OUT, toolKinds } from '../material/tool-kinds.js';

const NO_TOOL_NEEDED = [copySkill, comparisonSkill, oppositeSkill, letterSkill].flatMap((skill) => skill.tasks);

function toolChat(random: Random, wordings: WordingSet): TrainingChat {
  const kinds = toolKinds(random, random.weighted([0, 8, 2]));
  const tools = kinds.map(offered);
  const system: ChatMessage[] = random.chance(0.15)
    ? [{ role: 'system', content: 'You are a helpful assistant.' }]
    : [];
  if (random.chance(0.12)) {
    const { question, answer, ...others } = ask(random, NO_TOOL_NEEDED, wordings);
    const messages: ChatMessage[] = [
      ...system,
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ];
    return { skill: toolSkill.name, tools, messages, ...others };
  }
  const kind = random.pick(kinds);
  const given = kind.arguments(random);
  const wording = wordings === 'heldOut' ? random.pick(kind.heldOut) : vary(random, random.pick(kind.wordings), true);
  const slots = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const messages: ChatMessage[] = [
    ...system,
    { role: 'user', content: fill(wording, slots) },
    { role: 'assistant', content: null, tool_calls: [{ function: { name: kind.name, arguments: jsonText(given) } }] },
  ];
  if (random.chance(0.5)) messages.push(...answerFromTool(random, kind.result(random)));
  return { skill: toolSkill.name, tools, messages };
}

/** The tool's word and the answer that passes it on. */
function answerFromTool(random: Random, result: string | number): ChatMessage[] {
  const key = random.pick(['result', 'value', 'answer', 'status', 'text']);
  const content = random.chance(0.5) ? String(result) : jsonText({ [key]: result });
  return [
    { role: 'tool', content },
    { role: 'assistant', content: String(result) },
  ];
}

/** Calling one of the functions that are offered, and answering from what it brought back. */
export const toolSkill: Skill = {
  name: 'tools',
  share: 1.4,
  heldOut: TOOL_HELD_OUT,
  make: toolChat,
};
