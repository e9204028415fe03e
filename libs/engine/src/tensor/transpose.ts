/** `from` [rows, columns] written to `to` as [columns, rows]. */
export function transpose(from: Float32Array, columns: number, to: Float32Array): Float32Array {
  const rows = from.length / columns;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) to[column * rows + row] = from[row * columns + column]!;
  }
  return to;
}

/**
 * Rows of a matrix [output, input], the first a multiple of 32, written to `to` as panels [output / 32, input, 32]: as
 * kernels/half-panels.ts reads it.
 */
export function writePanels(from: Uint16Array, input: number, to: Uint16Array): void {
  const rows = from.length / input;
  for (let row = 0; row < rows; row++) {
    let at = (row >> 5) * input * 32 + (row & 31);
    for (let column = 0; column < input; column++, at += 32) to[at] = from[row * input + column]!;
  }
}
