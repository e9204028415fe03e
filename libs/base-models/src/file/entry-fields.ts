/** Reads the fields of one entry, and collects what is wrong with them. */
export class EntryFields {
  private readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param path of these fields in the entry, e.g. `lora.`
   * @param variable value of a variable of the environment
   */
  constructor(
    value: unknown,
    private readonly report: (field: string, problem: string) => void,
    private readonly variable: (name: string) => string | undefined,
    private readonly path = '',
  ) {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isMap) this.fault('', 'must be a map of fields');
    this.fields = isMap ? (value as Record<string, unknown>) : {};
  }

  raw(name: string): unknown {
    return this.fields[name];
  }

  /** Text, with `${NAME}` as the environment says; undefined where it is absent or wrong. */
  text(name: string): string | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value.trim() === '') return this.fault(name, 'must be text');
    return this.substitute(name, value);
  }

  number(name: string, { min, integer }: { min: number; integer: boolean }): number | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    const isOne = typeof value === 'number' && Number.isFinite(value) && (!integer || Number.isInteger(value));
    if (isOne && value >= min) return value;
    return this.fault(name, `must be ${integer ? 'a whole number' : 'a number'} from ${min} on`);
  }

  below(name: string): EntryFields | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    return new EntryFields(value, this.report, this.variable, `${this.path}${name}.`);
  }

  /** Of a list of maps. */
  items(name: string): EntryFields[] | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.length === 0) return this.fault(name, 'must be a list, and not empty');
    const path = (index: number): string => `${this.path}${name}[${index}].`;
    return value.map((item, index) => new EntryFields(item, this.report, this.variable, path(index)));
  }

  allow(...known: readonly string[]): void {
    for (const name of Object.keys(this.fields)) {
      if (!known.includes(name)) this.fault(name, `is not a field; there are: ${known.join(', ')}`);
    }
  }

  fault(name: string, problem: string): undefined {
    this.report(`${this.path}${name}`.replace(/\.$/, ''), problem);
  }

  private substitute(name: string, text: string): string | undefined {
    let isWhole = true;
    const substituted = text.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
      const value = /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) ? this.variable(variable) : undefined;
      if (value !== undefined) return value;
      isWhole = false;
      this.fault(name, `the environment has no variable '${variable}'`);
      return '';
    });
    return isWhole ? substituted : undefined;
  }
}
