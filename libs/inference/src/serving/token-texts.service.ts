import { Injectable } from '@nestjs/common';
import { type BaseModelInfo, Tokenizer } from '@heddle/engine';

export interface TokenText {
  /** U+FFFD where its bytes are no whole characters. */
  token: string;
  bytes: number[];
}

/** What single tokens stand for, special ones too. */
export interface TokenTexts {
  of(id: number): TokenText;
}

export interface ModelTexts extends TokenTexts {
  /** As the vocabulary writes it, e.g. `Ġthe`. */
  written(id: number): string;
  /** The text of several. */
  join(ids: readonly number[]): string;
}

/** The texts of each base model's tokens, read when first asked for. */
@Injectable()
export class TokenTextsService {
  private readonly known = new Map<string, Promise<ModelTexts>>();

  of({ id, directory }: BaseModelInfo): Promise<ModelTexts> {
    let texts = this.known.get(id);
    if (!texts) {
      texts = Tokenizer.load(directory).then(textsOf);
      this.known.set(id, texts);
      // A failure is not remembered: the file may be mended.
      texts.catch(() => this.known.delete(id));
    }
    return texts;
  }
}

function textsOf(tokenizer: Tokenizer): ModelTexts {
  const known: TokenText[] = [];
  return {
    of: (id) => (known[id] ??= { token: tokenizer.tokenText(id), bytes: [...tokenizer.tokenBytes(id)] }),
    written: (id) => tokenizer.writtenToken(id),
    join: (ids) => tokenizer.decode(ids),
  };
}
