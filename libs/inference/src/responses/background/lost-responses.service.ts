import { Injectable } from '@nestjs/common';
import { StoredResponsesRepository } from '../stored-responses.repository.js';
import { BackgroundResponsesRepository } from './background-responses.repository.js';

const LOST = {
  code: 'server_error',
  message: 'The process that made this response ended before it was whole: ask again',
};

/** Ends responses whose process is dead, frozen or without a database for too long: by now it can't write them any more. */
@Injectable()
export class LostResponsesService {
  constructor(
    private readonly repository: BackgroundResponsesRepository,
    private readonly stored: StoredResponsesRepository,
  ) {}

  /** @returns how many of them there were, of so many at most */
  async failSome(limit: number): Promise<number> {
    const ids = await this.repository.lost(limit);
    for (const id of ids) await this.fail(id);
    return ids.length;
  }

  async fail(id: string): Promise<void> {
    const response = await this.stored.body(id);
    if (response) await this.repository.endLost(id, { ...response, status: 'failed', error: LOST });
  }
}
