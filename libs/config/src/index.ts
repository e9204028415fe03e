export { childEnvironment } from './child-environment.js';
export { InvalidEnvError } from './config.errors.js';
export { ConfigModule } from './config.module.js';
export { environmentVariable } from './environment-variable.js';
export { Env } from './env.js';
export { loadEnv } from './load-env.js';
