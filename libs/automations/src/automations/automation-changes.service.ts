import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { ScopeKey } from '../firing/scope-key.js';

/** Holds the scope's row until the transaction ends: changes to its automations come one after the other. */
const MOVE_VERSION = `
  INSERT INTO automation_scopes AS s (key, version) VALUES ($1, 1)
  ON CONFLICT (key) DO UPDATE SET version = s.version + 1`;

/** Every change to automations: it moves the version of their scope, by which events know that something changed. */
@Injectable()
export class AutomationChangesService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  apply<T>(scope: ScopeKey, change: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(MOVE_VERSION, [scope]);
      return change(manager);
    });
  }
}
