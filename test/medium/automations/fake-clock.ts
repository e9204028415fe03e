import { Clock } from '@heddle/automations';

/** Stands still until somebody moves it. */
export class FakeClock extends Clock {
  private time = Date.now();

  override now(): Date {
    return new Date(this.time);
  }

  forward(seconds: number): void {
    this.time += seconds * 1000;
  }
}
