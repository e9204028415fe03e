export { InferenceModule } from './inference.module.js';
