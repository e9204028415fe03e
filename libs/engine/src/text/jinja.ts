import * as library from '@huggingface/jinja';
import { callPythonStrings, STRING_FUNCTIONS } from './python-strings.js';
import { strftime } from './python-time.js';

interface Environment {
  set(name: string, value: unknown): unknown;
}

// The package's declarations don't resolve under nodenext, so what is used of it is declared here.
const jinja = library as unknown as {
  Template: new (source: string) => { parsed: object };
  Environment: new () => Environment;
  Interpreter: new (environment: Environment) => { run(program: object): { value: string } };
};

/** A chat template with the globals that transformers gives it. `tojson` and the loop controls are the package's. */
export class JinjaTemplate {
  private readonly program: object;

  /** @throws Error where the source is no template. */
  constructor(source: string) {
    this.program = new jinja.Template(source).parsed;
    callPythonStrings(this.program);
  }

  /** @throws Error with the template's own message where it refuses what it is given. */
  render(variables: Record<string, unknown>, now: () => Date = () => new Date()): string {
    const environment = new jinja.Environment();
    const globals = {
      true: true,
      True: true,
      false: false,
      False: false,
      none: null,
      None: null,
      range: pythonRange,
      ...STRING_FUNCTIONS,
      raise_exception: (message: unknown) => {
        throw new Error(String(message));
      },
      // The package's own one speaks the language of the machine.
      strftime_now: (format: string) => strftime(now(), format),
    };
    for (const [name, value] of Object.entries({ ...variables, ...globals })) environment.set(name, value);
    return new jinja.Interpreter(environment).run(this.program).value;
  }
}

function pythonRange(first: number, end?: number, step = 1): number[] {
  const [start, stop] = end === undefined ? [0, first] : [first, end];
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  return Array.from({ length: Math.max(0, Math.ceil((stop - start) / step)) }, (_, i) => start + i * step);
}
