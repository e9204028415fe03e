import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { Operation } from './operation.js';

/** Chromium talks to nobody but the page. */
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Swagger UI in a browser that nobody has used before. */
export class SwaggerPage {
  private constructor(
    private readonly profile: string,
    private readonly browser: BrowserContext,
    readonly page: Page,
  ) {}

  static async open(url: string): Promise<SwaggerPage> {
    const profile = mkdtempSync(join(tmpdir(), 'heddle-chromium-'));
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath: process.env['HEDDLE_CHROMIUM'] ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGUMENTS,
      viewport: { width: 1280, height: 1000 },
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    // All parts at once: a part is chosen in the bar at the top.
    await page.goto(`${url}/docs?part=Everything`);
    await page.locator('.opblock-tag').first().waitFor();
    return new SwaggerPage(profile, browser, page);
  }

  /** Enters the key both ways that the page offers. */
  async authorize(key: string): Promise<void> {
    await this.page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
    const dialog = this.page.locator('.dialog-ux');
    const form = (title: string) => dialog.locator('.auth-container', { hasText: title });
    const submit = (title: string) => form(title).getByRole('button', { name: 'Apply credentials' }).click();

    await form('(http, Bearer)').getByLabel('auth-bearer-value').fill(key);
    await submit('(http, Bearer)');
    await form('(http, Basic)').getByLabel('auth-basic-username').fill('api');
    await form('(http, Basic)').getByLabel('auth-basic-password').fill(key);
    await submit('(http, Basic)');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  }

  /** Finds an operation by the search box, since a long page shows only what is in view, and makes it ready to be tried out. */
  async operation(tag: string, method: string, path: string): Promise<Operation> {
    await this.page.locator('.operation-filter-input').fill(`${tag} ${method.toLowerCase()} ${path}`);
    const section = this.page.locator('.opblock-tag-section', { has: this.page.locator(`[data-tag="${tag}"]`) });
    const block = section.locator(`.opblock-${method.toLowerCase()}`, {
      has: this.page.locator(`[data-path="${path}"]`),
    });
    if ((await block.count()) === 0) await section.locator('.opblock-tag').click();
    await block.waitFor();
    return Operation.open(block);
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
