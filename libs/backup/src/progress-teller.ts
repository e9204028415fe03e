/** Says how far it is: a line for each table that has rows, and one for every tenth of the files. */
export class ProgressTeller {
  private tenths = -1;

  constructor(private readonly say: (line: string) => void) {}

  table(name: string, rows: number): void {
    if (rows > 0) this.say(`${name}: ${rows.toLocaleString('en')} rows`);
  }

  files(done: number, total: number): void {
    const tenths = total === 0 ? 10 : Math.floor((10 * done) / total);
    if (tenths === this.tenths) return;
    this.tenths = tenths;
    this.say(`files: ${tenths * 10} % of ${(total / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`);
  }
}
