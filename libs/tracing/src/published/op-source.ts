/** Source of an op whose code nobody sent: a method that can't be run. */
export const placeholder = (name: string): string =>
  `import weave\n\n\n@weave.op\ndef ${name}(*args, **kwargs):\n    raise NotImplementedError("The code of this op was not captured")\n`;

/** A name as objects may have it: of others, what they can't have becomes _ or is left out. */
export const safeObjectId = (name: string): string =>
  name
    .replace(/[ /]/g, '_')
    .replace(/[^\p{L}\p{M}\p{N}_.-]/gu, '')
    .toLowerCase();
