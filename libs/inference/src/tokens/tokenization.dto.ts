/** The tokens of a text or a chat, as vLLM answers. */
export class TokenizationDto {
  /** @example 2 */
  count: number;
  /**
   * Tokens that a prompt and its answer may have together.
   * @example 1024
   */
  max_model_len: number;
  /** @example [72, 105] */
  tokens: number[];
  /**
   * Each token as the vocabulary writes it; null unless `return_token_strs` asks for it.
   * @example ["H", "i"]
   */
  token_strs: string[] | null;
}

/** The text of tokens, as vLLM answers. */
export class DetokenizationDto {
  /** @example "Hi" */
  prompt: string;
}
