/** What an adapter's directory holds to be sampled from. */
const NEEDED = ['adapter_config.json', 'adapter_model.safetensors'] as const;
/** What training goes on with: the optimiser's state, or where weights and optimiser are on the server that trained them. */
const FOR_TRAINING = ['optimizer.safetensors', 'remote.json'] as const;

export const ADAPTER_FILES = [...NEEDED, ...FOR_TRAINING] as const;

export const isNeeded = (name: string): boolean => (NEEDED as readonly string[]).includes(name);
