/*
 * The 16-bit floats of weight files. Everything works on bit patterns, so that NaN payloads and signed zeros survive. Bytes are
 * little-endian, in the files and on every machine that WebAssembly and Node serve.
 */

const bitsOf = (values: Float32Array): Uint32Array => new Uint32Array(values.buffer, values.byteOffset, values.length);

/** IEEE 754 binary16 to binary32; exact. */
export function decodeFloat16(source: Uint16Array, into: Float32Array): void {
  const bits = bitsOf(into);
  for (let i = 0; i < source.length; i++) {
    const half = source[i]!;
    const sign = (half & 0x8000) << 16;
    const magnitude = half & 0x7fff;
    if (magnitude >= 0x7c00) bits[i] = sign | 0x7f800000 | ((magnitude & 0x3ff) << 13);
    // The exponent's bias grows from 15 to 127.
    else if (magnitude >= 0x400) bits[i] = sign | ((magnitude << 13) + (112 << 23));
    else into[i] = (sign ? -magnitude : magnitude) * 2 ** -24;
  }
}

/** binary32 to binary16, to nearest with ties to even; from 65520 on infinity. */
export function encodeFloat16(source: Float32Array, into: Uint16Array): void {
  const bits = bitsOf(source);
  for (let i = 0; i < bits.length; i++) into[i] = halfOf(bits[i]!);
}

function halfOf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  // A carry out of the mantissa lands in the exponent, where it belongs.
  if (magnitude >= 0x38800000) return sign | roundedShift(magnitude - (112 << 23), 13);
  // Subnormal in binary16, a multiple of 2^-24: the hidden bit becomes visible.
  const shift = 126 - (magnitude >> 23);
  return shift > 24 ? sign : sign | roundedShift((magnitude & 0x7fffff) | 0x800000, shift);
}

/** value / 2^shift to the nearest integer, ties to even. */
function roundedShift(value: number, shift: number): number {
  const odd = (value >> shift) & 1;
  return (value + (1 << (shift - 1)) - 1 + odd) >> shift;
}

/** bfloat16 to binary32; exact. */
export function decodeBfloat16(source: Uint16Array, into: Float32Array): void {
  const bits = bitsOf(into);
  for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16;
}
