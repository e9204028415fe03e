import { setTimeout as pause } from 'node:timers/promises';
import { Rest } from './rest.js';

const PATIENCE_MS = 60_000;

interface Page<Item> {
  data: Item[];
  has_more: boolean;
  last_id: string;
}

/** What a patient client does: it asks until it is answered, each time the next of several APIs. */
export class PatientRest {
  private readonly apis: Rest[];
  private next = 0;

  constructor(urls: readonly string[], key: string) {
    this.apis = urls.map((url) => new Rest(url, key));
  }

  async send<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Body> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(200)) {
      try {
        return await this.apis[this.next++ % this.apis.length]!.send<Body>(method, path, body);
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  /** All items of a list. */
  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let after = ''; ;) {
      const page = await this.send<Page<Item>>('GET', `${path}?limit=100${after && `&after=${after}`}`);
      items.push(...page.data);
      if (!page.has_more) return items;
      after = page.last_id;
    }
  }
}
