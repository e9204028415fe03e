import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Principal } from '@heddle/auth';
import { type AlertSeverity, DomainEventsService } from '@heddle/events';
import { placeOfProject } from '@heddle/artifacts';
import { RunWriter } from '@heddle/runs';
import type { DataSource } from 'typeorm';
import { type RunPlace, SdkRunsService } from './sdk-runs.service.js';

export interface AlertInput extends RunPlace {
  title: string;
  text: string;
  severity?: AlertSeverity | null;
  /** Milliseconds. */
  waitDuration?: number | null;
}

/** In characters. What is longer is cut: a program's alert is not to fail for it. */
const MAX_TITLE = 1000;
const MAX_TEXT = 100_000;

const SAID_BEFORE = `
  SELECT FROM automation_events
   WHERE project_id = $1 AND type = 'RUN_ALERT' AND created_at > now() - $2::float8 * interval '1 millisecond'
     AND event::json->'run'->>'id' = $3 AND event::json->>'title' = $4
   LIMIT 1`;

/** Alerts of runs: events, which automations turn into messages. */
@Injectable()
export class RunAlertsService {
  constructor(
    private readonly runs: SdkRunsService,
    private readonly writer: RunWriter,
    private readonly events: DomainEventsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Tells of an alert, unless the run told of one of that title within the time that it wants to wait. */
  async notify(caller: Principal, input: AlertInput): Promise<void> {
    const { run, project } = await this.runs.find(caller, input, 'member');
    const title = cut(input.title, MAX_TITLE);
    const text = cut(title === clean(input.title) ? input.text : `${input.title}\n\n${input.text}`, MAX_TEXT);
    await this.dataSource.transaction(async (manager) => {
      // Holds the run: of two alerts at once, one comes first.
      const { id, name, displayName, createdBy } = await this.writer.update(manager, caller, project, run.id, {});
      const wait = Math.max(0, input.waitDuration ?? 0);
      const before = wait > 0 ? await manager.query<unknown[]>(SAID_BEFORE, [project.id, wait, id, title]) : [];
      if (before.length > 0) return;
      await this.events.publish(manager, {
        type: 'RUN_ALERT',
        actor: { userId: caller.userId, username: caller.username },
        place: placeOfProject(project),
        run: { id, name, displayName, createdBy },
        title,
        text,
        severity: input.severity ?? 'INFO',
      });
    });
  }
}

/** As PostgreSQL can keep and compare it. */
const clean = (text: string): string => text.replaceAll('\0', '\u2400').toWellFormed();

function cut(text: string, length: number): string {
  const whole = clean(text);
  return whole.length <= length ? whole : `${whole.slice(0, length - 1).toWellFormed()}…`;
}
