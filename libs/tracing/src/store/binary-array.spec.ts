import { describe, expect, it } from '@jest/globals';
import { indexJsonSync } from '@heddle/json';
import { binaryArray, binaryInteger } from './binary-array.js';
import type { Cell, CellType } from './call-columns.js';

const arrayOf = (type: CellType, ...cells: Cell[]): string | undefined =>
  binaryArray(type, cells.length, (row) => cells[row]!)?.toString('hex');

/** One dimension, nulls, element type, length, lower bound. */
const header = (oid: string, length: number): string => `0000000100000001${oid}0000000${length}00000001`;
const TEXT = '00000019';

describe('binaryArray', () => {
  it('writes strings, JSON and bytes as text, each after its length', () => {
    const json = indexJsonSync(Buffer.from(' {"a":1}')).get('a')!;
    expect(arrayOf('text', 'é', json, Buffer.from('xy'))).toBe(
      `${header(TEXT, 3)}00000002c3a900000001310000000278 79`.replace(' ', ''),
    );
  });

  it('tells null from the empty string', () => {
    expect(arrayOf('text', null, '')).toBe(`${header(TEXT, 2)}ffffffff00000000`);
  });

  it('is null where all cells are', () => {
    expect(arrayOf('text', null, null)).toBeUndefined();
  });

  it('writes integers of 4 and of 8 bytes', () => {
    expect(arrayOf('integer', 7)).toBe(`${header('00000017', 1)}0000000400000007`);
    expect(arrayOf('bigint', -2n)).toBe(`${header('00000014', 1)}00000008fffffffffffffffe`);
  });

  it('counts times from the year 2000', () => {
    const newYear = BigInt(Date.UTC(2000, 0, 1)) * 1000n;
    expect(arrayOf('timestamptz', newYear + 1n)).toBe(`${header('000004a0', 1)}000000080000000000000001`);
    expect(binaryInteger('timestamptz', newYear - 1n).toString('hex')).toBe('ffffffffffffffff');
    expect(binaryInteger('bigint', 5n).toString('hex')).toBe('0000000000000005');
  });

  it('takes arrays and jsonb as text', () => {
    expect(arrayOf('text[]', '{}')).toBe(`${header(TEXT, 1)}000000027b7d`);
    expect(arrayOf('jsonb', '{}')).toBe(`${header(TEXT, 1)}000000027b7d`);
  });
});
