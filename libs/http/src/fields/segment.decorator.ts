import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { IsLine } from './line.decorator.js';

/** A line that stands in paths and in refs (`entity/project/name:alias`) as it is. */
export const IsSegment = (max: number): PropertyDecorator =>
  applyDecorators(
    IsLine(max),
    Matches(/^(?!\.{1,2}$)[^/:]*$/, { message: '$property must hold neither a slash nor a colon' }),
  );
