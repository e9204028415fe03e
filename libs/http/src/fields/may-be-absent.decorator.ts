import { ValidateIf } from 'class-validator';

/** May be left out, but not null: what class-validator's own `IsOptional` lets pass would reach a column that has no null. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);
