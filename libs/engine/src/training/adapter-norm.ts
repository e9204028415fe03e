/**
 * Frobenius norm of what a LoRA adapter adds to a weight matrix, scale * B A, without computing the product:
 * |B A|^2 is the sum over i, j of (A A^T)_ij (B^T B)_ij, both of rank x rank numbers.
 * @param a rank x input, row-major (PEFT's `lora_A.weight`).
 * @param b output x rank, row-major (PEFT's `lora_B.weight`).
 * @param scale alpha / rank.
 */
export function adapterNorm(a: Float32Array, b: Float32Array, rank: number, scale: number): number {
  const [inputs, outputs] = [a.length / rank, b.length / rank];
  let square = 0;
  for (let i = 0; i < rank; i++) {
    for (let j = 0; j < rank; j++) {
      let rows = 0;
      let columns = 0;
      for (let k = 0; k < inputs; k++) rows += a[i * inputs + k]! * a[j * inputs + k]!;
      for (let k = 0; k < outputs; k++) columns += b[k * rank + i]! * b[k * rank + j]!;
      square += rows * columns;
    }
  }
  // Rounding can leave a product of 0 slightly below it.
  return scale * Math.sqrt(square < 0 ? 0 : square);
}
