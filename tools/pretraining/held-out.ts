import { randomChat, SKILLS } from './corpus.js';
import { Random } from './material/random.js';
import type { Skill, TrainingChat, WordingSet } from './material/skill.js';

/** Steps of training count from 0: no stream of theirs is this one. */
const HELD_OUT_STREAM = -1;

/**
 * Chats to measure with, the same number of every skill, of a random stream that training never uses. Where a skill knows
 * few questions (there are 48 capitals), the same question also occurs in training; held-out wordings never do.
 */
export function heldOutChats(seed: number, perSkill: number, wordings: WordingSet): TrainingChat[] {
  return SKILLS.flatMap((skill, place) =>
    chatsOf(skill, new Random(seed + place, HELD_OUT_STREAM), perSkill, wordings),
  );
}

/** Chats in the proportions of the corpus. */
export function heldOutMix(seed: number, count: number): TrainingChat[] {
  const random = new Random(seed, HELD_OUT_STREAM);
  return Array.from({ length: count }, () => randomChat(random));
}

function chatsOf(skill: Skill, random: Random, count: number, wordings: WordingSet): TrainingChat[] {
  return Array.from({ length: count }, () => randomChat(random, wordings, skill));
}
