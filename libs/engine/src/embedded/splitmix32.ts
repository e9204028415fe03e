/** splitmix32: Steele, Lea and Flood 2014, with the 32-bit finaliser of MurmurHash3. */
export function splitmix32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e37_79b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85eb_ca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2_ae35);
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32;
  };
}
