import { Injectable } from '@nestjs/common';

/** What time it is, for schedules that span hours: tests put their own in its place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
