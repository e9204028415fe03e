import { setTimeout as pause } from 'node:timers/promises';
import { formatBytes, type KeptModel, type ModelShelf } from '@heddle/base-models';
import type { ProgressView } from './progress-view.js';

export const USAGE = `Usage: npm run models -- COMMAND
  list         the base models, how they are doing, their size on this disk, where they come from
  pull ID      downloads a model of the hub, or checks and mends one that is there
  remove ID    deletes a downloaded model from this disk`;

/** What was typed is no command. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n${USAGE}`);
  }
}

/** `npm run models`: base models by hand, with no server running or beside one. */
export class ModelsCommand {
  constructor(
    private readonly shelf: ModelShelf,
    private readonly say: (line: string) => void,
    private readonly progress: ProgressView,
  ) {}

  /** @throws UsageError, and what the shelf throws */
  async run([command, id, ...rest]: readonly string[], signal: AbortSignal): Promise<void> {
    if (rest.length > 0 || (command === 'list' && id !== undefined)) throw new UsageError('Too many words');
    if (command === 'list') return this.list();
    if (command !== 'pull' && command !== 'remove') {
      throw new UsageError(command === undefined ? 'Which command?' : `There is no command '${command}'`);
    }
    if (id === undefined) throw new UsageError(`${command} which model?`);
    return command === 'pull' ? this.pull(id, signal) : this.remove(id);
  }

  private async list(): Promise<void> {
    const rows = (await this.shelf.list()).map(rowOf);
    for (const line of table([['ID', 'STATE', 'SIZE', 'SOURCE'], ...rows])) this.say(line);
  }

  private async pull(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.shelf.pull(id, (status) => this.progress.show(status), signal);
    } finally {
      this.progress.end();
    }
    // So that nothing is drawn over it.
    await pause(0);
    const isNamed = this.shelf.isNamed(id);
    this.say(isNamed ? `${id} is here` : `${id} is here; to train it, name it in the file of BASE_MODELS`);
  }

  private async remove(id: string): Promise<void> {
    await this.shelf.remove(id);
    this.say(`${id} is removed; a process that has loaded it goes on with it until it ends`);
  }
}

const rowOf = ({ id, state, bytes, source }: KeptModel): string[] => [
  id,
  state,
  bytes === null ? '' : formatBytes(bytes),
  source,
];

/** Columns as wide as their widest cell. */
function table(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
