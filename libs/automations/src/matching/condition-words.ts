/** A condition as people say it. */
export interface ConditionWords {
  /** With the windows that it looks at. */
  text: string;
  shortText: string;
}

/** By the direction in which a value must move. */
export const VERBS = { INCREASE: 'rises', DECREASE: 'falls', ANY: 'changes' } as const;

/**
 * @param rule what must hold of it, e.g. `> 0.9`
 * @param prior how many values before it is compared with; 0 for none
 */
export function inWords(
  aggregate: 'MIN' | 'MAX' | 'AVERAGE' | undefined,
  metric: string,
  window: number,
  rule: string,
  prior = 0,
): ConditionWords {
  const subject = aggregate ? `${aggregate}(${metric})` : metric;
  const windows = [
    ...(aggregate && window > 1 ? [`over ${window} values`] : []),
    ...(prior > 0 ? [`against the ${prior} ${prior === 1 ? 'value' : 'values'} before`] : []),
  ];
  const shortText = `${subject} ${rule}`;
  return { text: [shortText, ...windows].join(' '), shortText };
}
