// AssemblyScript: the engine's arithmetic. One linear memory that all threads share; a tensor is the byte address of its
// first float, row-major, and sizes count floats. Nothing is allocated in here, and no two lanes are ever reassociated by
// how many rows are computed at once: every output is the same sum in the same order at any batch size.
export { attend, attendBackward } from './attention';
export { appendCache, attendCache, growCache } from './cache';
export {
  add,
  addRowSums,
  addToRows,
  copy,
  fill,
  gatherRows,
  scale,
  scatterAddRows,
  sumSquares,
  swiglu,
  swigluBackward,
} from './elementwise';
export { gemm } from './gemm';
export { gatherHalf, multiplyHalf, multiplyHalfBack } from './half-panels';
export { rmsNorm, rmsNormBackward, rotate } from './norm';
export { adamw } from './optimizer';
export { peak } from './peak';
export { logSumExp, scoreTargets, targetGradient } from './softmax';
