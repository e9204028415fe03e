import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { BlobsService } from '@heddle/artifacts';
import { ArchiveReceiver } from './archive-receiver.js';

describe('ArchiveReceiver', () => {
  // Nothing of it comes so far as to be stored.
  const receiver = () => new ArchiveReceiver('/', new Map(), undefined as unknown as BlobsService);

  it('refuses what is cut off while it comes', async () => {
    const source = new PassThrough();
    const received = receiver().receive(source);
    source.write('the beginning');
    source.destroy();
    await expect(received).rejects.toThrow('cut off');
  });

  it('refuses what was cut off before it was looked at, and waits for no more', async () => {
    const source = new PassThrough();
    source.write('the beginning');
    source.destroy();
    await once(source, 'close');
    await expect(receiver().receive(source)).rejects.toThrow('cut off');
  });
});
