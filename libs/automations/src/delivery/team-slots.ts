/** How many requests each team has in flight in this process. */
export class TeamSlots {
  private readonly inFlight = new Map<string, number>();

  of(teamId: string): number {
    return this.inFlight.get(teamId) ?? 0;
  }

  take(teamId: string): void {
    this.inFlight.set(teamId, this.of(teamId) + 1);
  }

  free(teamId: string): void {
    const left = this.of(teamId) - 1;
    if (left > 0) this.inFlight.set(teamId, left);
    else this.inFlight.delete(teamId);
  }
}
