/** What an adapter's directory holds: enough to sample with, and the optimiser's state to train on with. */
export const ADAPTER_FILES = ['adapter_config.json', 'adapter_model.safetensors', 'optimizer.safetensors'] as const;
