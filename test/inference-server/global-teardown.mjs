export default () => globalThis.vllm?.stop();
