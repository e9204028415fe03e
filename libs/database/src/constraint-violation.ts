/** Whether a statement failed at this constraint (or a rule of that name that a trigger keeps), whichever driver layer threw. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === constraint;
}

/** A team's projects and registries share their names: see the migration. */
export const PLACE_NAMES = 'place_names_key';
