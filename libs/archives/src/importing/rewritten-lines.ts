const NEWLINE = 0x0a;

/** Whole lines, some at a time, each rewritten. @param rewrite of text in which each character is a byte */
export async function* rewrittenLines(
  source: AsyncIterable<Buffer>,
  rewrite: (bytes: string) => string,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      pending.push(chunk);
      continue;
    }
    yield rewritten(Buffer.concat([...pending, chunk.subarray(0, end)]), rewrite);
    pending = end < chunk.length ? [chunk.subarray(end)] : [];
  }
  if (pending.length > 0) yield rewritten(Buffer.concat(pending), rewrite);
}

/** Most lines hold nothing that could be a reference. */
function rewritten(lines: Buffer, rewrite: (bytes: string) => string): Buffer {
  if (!MARKS.some((mark) => lines.includes(mark))) return lines;
  return Buffer.from(rewrite(lines.toString('latin1')), 'latin1');
}

const MARKS = ['weave:', 'wandb-', 'birthArtifactID'];
