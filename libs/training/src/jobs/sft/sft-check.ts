import { rateListProblem, type SftConfig } from '@heddle/engine';
import { ValidationError } from '@heddle/http';
import { type LineProblem, problemText, readSftLine } from './sft-line.js';
import { UnknownKeys } from './unknown-keys.js';
import { LineSplitter, LineTooLongError, type TextLine } from './text-lines.js';

/** So many bad lines are named; a file of the wrong kind has no other. */
const MAX_PROBLEMS = 20;

/** Looks at training data while it passes by. */
export class SftCheck {
  private readonly splitter = new LineSplitter();
  private readonly problems: LineProblem[] = [];
  private examples = 0;
  readonly unknownKeys = new UnknownKeys();
  /** In a line that is too long: where it ends is not looked for. */
  private lost = false;

  /** The same bytes. They go on to their end whatever is wrong, so that the answer can name all bad lines. */
  async *watch(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.look(() => this.splitter.add(chunk));
      yield chunk;
    }
    this.look(() => this.splitter.end());
  }

  /**
   * @param config of the job
   * @param loc where it stands in the request
   * @throws ValidationError that names the bad lines, or says that there is no example at all, or that there are more or
   *   fewer batches than learning rates
   */
  requireGood(config: SftConfig = {}, loc: string[] = []): void {
    if (this.problems.length > 0) {
      throw new ValidationError(
        this.problems.map((problem) => ({
          loc: ['body', `line ${problem.line}`, ...problem.path],
          msg: problemText(problem),
          type: 'training_data',
          ctx: { line: problem.line },
        })),
      );
    }
    if (this.examples === 0) throw ValidationError.at(['body'], 'must hold at least one example', 'training_data');
    const problem = rateListProblem(config, this.examples);
    if (problem !== null) throw ValidationError.at([...loc, 'learning_rate'], problem, 'config_value');
  }

  private look(lines: () => Iterable<TextLine>): void {
    if (this.problems.length >= MAX_PROBLEMS || this.lost) return;
    try {
      for (const line of lines()) this.lookAt(line);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.problems.push({ line: error.line, path: [], msg: error.message });
      this.lost = true;
    }
  }

  private lookAt(line: TextLine): void {
    const read = readSftLine(line);
    if (read && 'example' in read) {
      this.examples++;
      this.unknownKeys.add(read.example);
    } else if (read && this.problems.length < MAX_PROBLEMS) this.problems.push(read.problem);
  }
}
