/** `from` [rows, columns] written to `to` as [columns, rows]. */
export function transpose(from: Float32Array, columns: number, to: Float32Array): Float32Array {
  const rows = from.length / columns;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) to[column * rows + row] = from[row * columns + column]!;
  }
  return to;
}
