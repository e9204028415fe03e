import { Patience } from './patience.js';

describe('Patience', () => {
  const listeners = new Set<() => void>();
  const change = () => [...listeners].forEach((listener) => listener());
  beforeEach(() => listeners.clear());

  it('waits for a change', async () => {
    const { came } = Patience.of(60_000).change(listeners);
    change();
    expect(await came).toBe(true);
    expect(listeners.size).toBe(0);
  });

  it('ends where nothing changes for its time, counted from its beginning', async () => {
    const patience = Patience.of(20);
    expect(await patience.change(listeners).came).toBe(false);
    expect(await patience.change(listeners).came).toBe(false);
    expect(listeners.size).toBe(0);
  });

  it('hears of a cancellation as of a change, and says then what it is', async () => {
    const controller = new AbortController();
    const patience = Patience.endless(controller.signal);
    patience.throwIfCancelled();
    const { came } = patience.change(listeners);
    controller.abort();
    expect(await came).toBe(true);
    expect(() => patience.throwIfCancelled()).toThrow(expect.objectContaining({ code: 'cancelled' }));
  });

  it('leaves nothing behind where the change is no longer of interest', async () => {
    const { came, forget } = Patience.of(60_000).change(listeners);
    forget();
    expect(listeners.size).toBe(0);
    expect(await came).toBe(true);
  });
});
