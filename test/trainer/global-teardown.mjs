export default () => globalThis.skyrl?.stop();
