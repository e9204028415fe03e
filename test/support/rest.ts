/** Sends JSON as a program would, and expects success. */
export class Rest {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async send<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  }
}
