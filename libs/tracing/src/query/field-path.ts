/** The parts of a dotted name; a dot inside of a key is written `\.`: `attributes.gen_ai\.system`. */
export function splitPath(name: string): string[] {
  return (name.match(/(?:^|\.)(?:\\\.|[^.])*/g) ?? []).map((part, i) =>
    (i === 0 ? part : part.slice(1)).replaceAll('\\.', '.'),
  );
}
