import { type DownloadStatus, formatBytes } from '@heddle/base-models';
import cliProgress from 'cli-progress';

/** Shows how far a download is. */
export interface ProgressView {
  show(status: DownloadStatus): void;
  end(): void;
}

const FORMAT = '{bar} {percentage} %  {shown}';

/** On a terminal: one line that moves. */
export class ProgressBar implements ProgressView {
  private readonly bar = new cliProgress.SingleBar(
    { format: FORMAT, hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  private isShown = false;

  show(status: DownloadStatus): void {
    if (status.state !== 'downloading' || status.total === null) return;
    const { done, total, reason } = status;
    const shown = reason ?? `${formatBytes(done)} of ${formatBytes(total)}`;
    if (!this.isShown) this.bar.start(total, done, { shown });
    this.isShown = true;
    this.bar.update(done, { shown });
  }

  end(): void {
    if (this.isShown) this.bar.stop();
  }
}

/** In a log: a line for every tenth of the way, and for whatever it waits for. */
export class ProgressLines implements ProgressView {
  private last = '';

  constructor(private readonly say: (line: string) => void) {}

  show(status: DownloadStatus): void {
    if (status.state !== 'downloading' || status.total === null) return this.tell(status.reason ?? '');
    const { done, total, reason } = status;
    const tenths = total === 0 ? 10 : Math.floor((10 * done) / total);
    this.tell(reason ?? `${tenths * 10} % of ${formatBytes(total)}`);
  }

  end(): void {}

  private tell(line: string): void {
    if (line === '' || line === this.last) return;
    this.last = line;
    this.say(line);
  }
}
