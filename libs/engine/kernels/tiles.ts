import { multiplyAdd } from './multiply-add';

// The inner loops of the matrix product: a tile of C stays in registers while k runs. Strides count bytes here.

function start(c: usize, accumulate: bool): v128 {
  return accumulate ? v128.load(c) : f32x4.splat(0);
}

/** AssemblyScript makes one function of tiles with all their rows, where nothing is left to ask, and one of those with fewer. */
export type All = i32;
export type Fewer = i64;

/**
 * 4 rows of A times 8 columns of B: eight sums in registers, each adding its products in the order of k. Where there are
 * fewer `rows`, the last one is computed, and written, several times: that takes no longer than one alone.
 */
export function tile4x8<R>(
  rows: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  b: usize,
  rsB: usize,
  c: usize,
  ldc: usize,
  acc: bool,
): void {
  const c1 = sizeof<R>() == sizeof<All>() || rows > 1 ? c + ldc : c;
  const c2 = sizeof<R>() == sizeof<All>() || rows > 2 ? c1 + ldc : c1;
  const c3 = sizeof<R>() == sizeof<All>() || rows > 3 ? c2 + ldc : c2;
  let s00 = start(c, acc);
  let s01 = start(c + 16, acc);
  let s10 = start(c1, acc);
  let s11 = start(c1 + 16, acc);
  let s20 = start(c2, acc);
  let s21 = start(c2 + 16, acc);
  let s30 = start(c3, acc);
  let s31 = start(c3 + 16, acc);
  let a1 = sizeof<R>() == sizeof<All>() || rows > 1 ? a + rsA : a;
  let a2 = sizeof<R>() == sizeof<All>() || rows > 2 ? a1 + rsA : a1;
  let a3 = sizeof<R>() == sizeof<All>() || rows > 3 ? a2 + rsA : a2;
  for (; k > 0; k--) {
    const left = v128.load(b);
    const right = v128.load(b, 16);
    let x = v128.load32_splat(a);
    s00 = multiplyAdd(x, left, s00);
    s01 = multiplyAdd(x, right, s01);
    x = v128.load32_splat(a1);
    s10 = multiplyAdd(x, left, s10);
    s11 = multiplyAdd(x, right, s11);
    x = v128.load32_splat(a2);
    s20 = multiplyAdd(x, left, s20);
    s21 = multiplyAdd(x, right, s21);
    x = v128.load32_splat(a3);
    s30 = multiplyAdd(x, left, s30);
    s31 = multiplyAdd(x, right, s31);
    a += csA;
    a1 += csA;
    a2 += csA;
    a3 += csA;
    b += rsB;
  }
  v128.store(c, s00);
  v128.store(c + 16, s01);
  v128.store(c1, s10);
  v128.store(c1 + 16, s11);
  v128.store(c2, s20);
  v128.store(c2 + 16, s21);
  v128.store(c3, s30);
  v128.store(c3 + 16, s31);
}

/** As tile4x8 with 6 rows: as many sums as 16 registers allow, so that fewer of the instructions are loads. */
export function tile6x8<R>(
  rows: i32,
  k: i32,
  a: usize,
  rsA: usize,
  csA: usize,
  b: usize,
  rsB: usize,
  c: usize,
  ldc: usize,
  acc: bool,
): void {
  const c1 = sizeof<R>() == sizeof<All>() || rows > 1 ? c + ldc : c;
  const c2 = sizeof<R>() == sizeof<All>() || rows > 2 ? c1 + ldc : c1;
  const c3 = sizeof<R>() == sizeof<All>() || rows > 3 ? c2 + ldc : c2;
  const c4 = sizeof<R>() == sizeof<All>() || rows > 4 ? c3 + ldc : c3;
  const c5 = sizeof<R>() == sizeof<All>() || rows > 5 ? c4 + ldc : c4;
  let s00 = start(c, acc);
  let s01 = start(c + 16, acc);
  let s10 = start(c1, acc);
  let s11 = start(c1 + 16, acc);
  let s20 = start(c2, acc);
  let s21 = start(c2 + 16, acc);
  let s30 = start(c3, acc);
  let s31 = start(c3 + 16, acc);
  let s40 = start(c4, acc);
  let s41 = start(c4 + 16, acc);
  let s50 = start(c5, acc);
  let s51 = start(c5 + 16, acc);
  let a1 = sizeof<R>() == sizeof<All>() || rows > 1 ? a + rsA : a;
  let a2 = sizeof<R>() == sizeof<All>() || rows > 2 ? a1 + rsA : a1;
  let a3 = sizeof<R>() == sizeof<All>() || rows > 3 ? a2 + rsA : a2;
  let a4 = sizeof<R>() == sizeof<All>() || rows > 4 ? a3 + rsA : a3;
  let a5 = sizeof<R>() == sizeof<All>() || rows > 5 ? a4 + rsA : a4;
  for (; k > 0; k--) {
    const left = v128.load(b);
    const right = v128.load(b, 16);
    let x = v128.load32_splat(a);
    s00 = multiplyAdd(x, left, s00);
    s01 = multiplyAdd(x, right, s01);
    x = v128.load32_splat(a1);
    s10 = multiplyAdd(x, left, s10);
    s11 = multiplyAdd(x, right, s11);
    x = v128.load32_splat(a2);
    s20 = multiplyAdd(x, left, s20);
    s21 = multiplyAdd(x, right, s21);
    x = v128.load32_splat(a3);
    s30 = multiplyAdd(x, left, s30);
    s31 = multiplyAdd(x, right, s31);
    x = v128.load32_splat(a4);
    s40 = multiplyAdd(x, left, s40);
    s41 = multiplyAdd(x, right, s41);
    x = v128.load32_splat(a5);
    s50 = multiplyAdd(x, left, s50);
    s51 = multiplyAdd(x, right, s51);
    a += csA;
    a1 += csA;
    a2 += csA;
    a3 += csA;
    a4 += csA;
    a5 += csA;
    b += rsB;
  }
  v128.store(c, s00);
  v128.store(c, s01, 16);
  v128.store(c1, s10);
  v128.store(c1, s11, 16);
  v128.store(c2, s20);
  v128.store(c2, s21, 16);
  v128.store(c3, s30);
  v128.store(c3, s31, 16);
  v128.store(c4, s40);
  v128.store(c4, s41, 16);
  v128.store(c5, s50);
  v128.store(c5, s51, 16);
}

/** 32 columns of B as a row of it, `step` being from one row to the next, or as four panels of 8, `step` apart. */
export type Row = i32;
export type Panels = i64;

/** One row against 32 columns where they lie: what decoding a single sequence spends its time on. */
export function tile1x32<B>(k: i32, a: usize, csA: usize, b: usize, step: usize, c: usize, acc: bool): void {
  const apart: usize = sizeof<B>() == sizeof<Row>() ? 32 : step;
  const down: usize = sizeof<B>() == sizeof<Row>() ? step : 32;
  let s0 = start(c, acc);
  let s1 = start(c + 16, acc);
  let s2 = start(c + 32, acc);
  let s3 = start(c + 48, acc);
  let s4 = start(c + 64, acc);
  let s5 = start(c + 80, acc);
  let s6 = start(c + 96, acc);
  let s7 = start(c + 112, acc);
  for (; k > 0; k--) {
    const x = v128.load32_splat(a);
    const b2 = b + 2 * apart;
    s0 = multiplyAdd(x, v128.load(b), s0);
    s1 = multiplyAdd(x, v128.load(b, 16), s1);
    s2 = multiplyAdd(x, v128.load(b + apart), s2);
    s3 = multiplyAdd(x, v128.load(b + apart, 16), s3);
    s4 = multiplyAdd(x, v128.load(b2), s4);
    s5 = multiplyAdd(x, v128.load(b2, 16), s5);
    s6 = multiplyAdd(x, v128.load(b2 + apart), s6);
    s7 = multiplyAdd(x, v128.load(b2 + apart, 16), s7);
    a += csA;
    b += down;
  }
  v128.store(c, s0);
  v128.store(c, s1, 16);
  v128.store(c, s2, 32);
  v128.store(c, s3, 48);
  v128.store(c, s4, 64);
  v128.store(c, s5, 80);
  v128.store(c, s6, 96);
  v128.store(c, s7, 112);
}

/** As tile6x8 where columns of A are contiguous: A is transposed. */
export function tileColumns(k: i32, a: usize, csA: usize, b: usize, rsB: usize, c: usize, ldc: usize, acc: bool): void {
  const c1 = c + ldc;
  const c2 = c1 + ldc;
  const c3 = c2 + ldc;
  const c4 = c3 + ldc;
  const c5 = c4 + ldc;
  let s00 = start(c, acc);
  let s01 = start(c + 16, acc);
  let s10 = start(c1, acc);
  let s11 = start(c1 + 16, acc);
  let s20 = start(c2, acc);
  let s21 = start(c2 + 16, acc);
  let s30 = start(c3, acc);
  let s31 = start(c3 + 16, acc);
  let s40 = start(c4, acc);
  let s41 = start(c4 + 16, acc);
  let s50 = start(c5, acc);
  let s51 = start(c5 + 16, acc);
  for (; k > 0; k--) {
    const left = v128.load(b);
    const right = v128.load(b, 16);
    let x = v128.load32_splat(a);
    s00 = multiplyAdd(x, left, s00);
    s01 = multiplyAdd(x, right, s01);
    x = v128.load32_splat(a, 4);
    s10 = multiplyAdd(x, left, s10);
    s11 = multiplyAdd(x, right, s11);
    x = v128.load32_splat(a, 8);
    s20 = multiplyAdd(x, left, s20);
    s21 = multiplyAdd(x, right, s21);
    x = v128.load32_splat(a, 12);
    s30 = multiplyAdd(x, left, s30);
    s31 = multiplyAdd(x, right, s31);
    x = v128.load32_splat(a, 16);
    s40 = multiplyAdd(x, left, s40);
    s41 = multiplyAdd(x, right, s41);
    x = v128.load32_splat(a, 20);
    s50 = multiplyAdd(x, left, s50);
    s51 = multiplyAdd(x, right, s51);
    a += csA;
    b += rsB;
  }
  v128.store(c, s00);
  v128.store(c, s01, 16);
  v128.store(c1, s10);
  v128.store(c1, s11, 16);
  v128.store(c2, s20);
  v128.store(c2, s21, 16);
  v128.store(c3, s30);
  v128.store(c3, s31, 16);
  v128.store(c4, s40);
  v128.store(c4, s41, 16);
  v128.store(c5, s50);
  v128.store(c5, s51, 16);
}
