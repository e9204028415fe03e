import { ParameterError } from '@heddle/http';

/**
 * The mean of a causal model's last states is a vector, but what is near in it says little of what is alike: such numbers
 * would look like embeddings and fail where they are searched. 400, since clients try a 501 again.
 */
export class NoEmbeddingsError extends ParameterError {
  constructor() {
    const message =
      'There are no embeddings here: the models were trained to continue texts, not to tell which are alike. ' +
      'Ask a server that has an embedding model';
    super('model', message, { code: 'embeddings_not_supported' });
  }
}
