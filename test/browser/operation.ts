import type { Locator } from 'playwright-core';

/** What the page shows under "Server response". */
export interface Answer<Body> {
  status: number;
  body: Body;
}

export type JsonObject = Record<string, unknown>;

export interface Input {
  /** Values of parameters by name; the others are as the page fills them in. */
  parameters?: Record<string, string>;
  /** Makes the request body from the example that stands in the editor. */
  edit?: (example: JsonObject) => JsonObject;
}

/** One operation of the page, opened, with "Try it out" pressed. */
export class Operation {
  private constructor(private readonly block: Locator) {}

  static async open(block: Locator): Promise<Operation> {
    const tryItOut = block.getByRole('button', { name: 'Try it out' });
    if (!(await block.evaluate((element) => element.classList.contains('is-open'))))
      await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out').waitFor();
    if (await tryItOut.isVisible()) await tryItOut.click();
    await block.getByRole('button', { name: 'Execute' }).waitFor();
    return new Operation(block);
  }

  /** Names of the examples to choose from, what was typed in before not among them. */
  examples(): Promise<string[]> {
    return this.examplesMenu.locator('option:not([value="__MODIFIED__VALUE__"])').allTextContents();
  }

  async chooseExample(name: string): Promise<void> {
    await this.examplesMenu.selectOption(name);
  }

  /** Fills in the form, presses "Execute" and reads the answer off the page. */
  async execute<Body = JsonObject>({ parameters = {}, edit }: Input = {}): Promise<Answer<Body>> {
    for (const [name, value] of Object.entries(parameters))
      await this.block.locator(`tr[data-param-name="${name}"] input`).fill(value);
    if (edit) {
      const editor = this.block.locator('.body-param textarea');
      await editor.fill(JSON.stringify(edit(JSON.parse(await editor.inputValue()) as JsonObject), null, 2));
    }
    const clear = this.block.getByRole('button', { name: 'Clear' });
    if (await clear.isVisible()) await clear.click();
    await this.block.getByRole('button', { name: 'Execute' }).click();
    return this.answer<Body>();
  }

  private get examplesMenu(): Locator {
    return this.block.locator('.examples-select select').first();
  }

  private async answer<Body>(): Promise<Answer<Body>> {
    const answer = this.block.locator('.live-responses-table .response');
    const status = Number(await answer.locator('.response-col_status').innerText());
    const text = await answer.locator('.highlight-code code').textContent();
    return { status, body: JSON.parse(text!) as Body };
  }
}
