import { formsOf } from './secret-forms.js';

/** What stands where a secret stood. */
export const MASK = '***';

/** Takes secret values out of text that others wrote: answers that echo a request, messages of errors. */
export class Masker {
  private readonly forms: readonly string[];

  constructor(values: readonly (string | null)[]) {
    const forms = values.flatMap((value) => (value ? formsOf(value) : []));
    // A value that holds another one goes first, or the rest of it would stay.
    this.forms = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  /**
   * @param cut whether the text was cut off at its end: a secret's beginning there is masked too
   */
  mask(text: string, { cut = false } = {}): string {
    const masked = this.forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
    return cut ? this.maskEnd(masked) : masked;
  }

  private maskEnd(text: string): string {
    const longest = this.forms[0]?.length ?? 0;
    for (let start = Math.max(0, text.length - longest); start < text.length; start++) {
      const end = text.slice(start);
      if (this.forms.some((form) => form.startsWith(end))) return text.slice(0, start) + MASK;
    }
    return text;
  }
}
