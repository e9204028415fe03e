import { EngineError } from '../protocol/engine.errors.js';
import { AddedTokenSplitter, type AddedToken } from './added-tokens.js';
import { BYTE_CHARACTERS, fallbackToken } from './byte-alphabet.js';
import { BytePairEncoder } from './byte-pair-encoder.js';
import { TokenSink } from './token-sink.js';
import { decoderOf, textOfBytes, type TokenDecoder } from './token-decoder.js';
import { type TextFrame, textFrameOf } from './text-frame.js';
import { addedTokensOf, mergesOf, specialTokensOf, vocabularyOf } from './tokenizer-entries.js';
import { badTokenizer, isJsonObject, readModelJson, refuseOptions, type JsonObject } from './tokenizer-file.js';
import { normalizerOf, preTokenizerOf, splitBefore, type Normalize, type PreTokenizer } from './text-splitting.js';

/** Words longer than this are rarely seen twice. */
const LONGEST_CACHED_WORD = 40;
const CACHED_WORDS = 2 ** 15;
const SENTENCEPIECE_MARK = '▁';

export interface EncodeOptions {
  /**
   * Whether special tokens such as `<|im_end|>` in the text become those tokens; default no. Other added tokens
   * always do. A rendered chat needs it, since its turns are made of them; see `encodeChat` for what follows from that.
   */
  special?: boolean;
  /** Whether the special tokens that begin (and end) the model's texts are added; default no. */
  framed?: boolean;
}

export interface DecodeOptions {
  /** Whether special tokens are left out; default no. */
  skipSpecial?: boolean;
}

/**
 * Text to tokens and back, as the `tokenizers` library does it with the same tokenizer.json. Byte-pair encodings only
 * (what models of the Llama family have), byte-level or with byte fallback; anything that isn't known to give the same
 * tokens is refused by name.
 */
export class Tokenizer {
  /** One more than the highest token id. */
  readonly vocabularySize: number;
  /** What tokenizer_config.json names: `bos_token`, `eos_token`, `pad_token`, ... */
  readonly specialTokens: Readonly<Record<string, string>>;

  private readonly vocabulary: Map<string, number>;
  private readonly tokens: (string | undefined)[] = [];
  /** What `tokenBytes` has already found out. */
  private readonly bytes: (Uint8Array | undefined)[] = [];
  private readonly added = new Map<number, AddedToken>();
  private readonly addedIds: ReadonlyMap<string, number>;
  private readonly original: AddedTokenSplitter;
  private readonly normalized: AddedTokenSplitter;
  private readonly normalize: Normalize;
  private readonly preTokenizer: PreTokenizer;
  private readonly encoder: BytePairEncoder;
  private readonly decoder: TokenDecoder;
  private readonly frame: TextFrame;
  private readonly byteIds: Int32Array;
  private readonly unknownId: number;
  private readonly fuseUnknown: boolean;
  private readonly ignoreMerges: boolean;
  private readonly cache = new Map<string, Int32Array>();
  private scratch = new Int32Array(1024);

  /** `tokenizer` and `config` are the contents of tokenizer.json and tokenizer_config.json. */
  constructor(tokenizer: JsonObject, config: JsonObject = {}) {
    const model = tokenizer.model;
    if (!isJsonObject(model)) throw badTokenizer('model is missing');
    if (model.type !== 'BPE' && !(model.type === undefined && Array.isArray(model.merges))) {
      throw badTokenizer(`model.type ${JSON.stringify(model.type)} is not supported: BPE is`);
    }
    refuseOptions(model, 'model', ['dropout', 'continuing_subword_prefix', 'end_of_word_suffix']);
    refuseOptions(config, 'tokenizer_config', ['split_special_tokens']);
    this.vocabulary = vocabularyOf(model);
    const merges = mergesOf(model);
    this.encoder = new BytePairEncoder(this.vocabulary, merges);
    this.normalize = normalizerOf(tokenizer.normalizer);
    this.preTokenizer = preTokenizerOf(tokenizer.pre_tokenizer);
    this.decoder = decoderOf(tokenizer.decoder);
    this.ignoreMerges = model.ignore_merges === true;
    this.fuseUnknown = model.fuse_unk === true;
    this.unknownId = typeof model.unk_token === 'string' ? (this.vocabulary.get(model.unk_token) ?? -1) : -1;
    const names = this.preTokenizer.byteLevel ? BYTE_CHARACTERS : BYTE_CHARACTERS.map((_, byte) => fallbackToken(byte));
    const fallback = this.preTokenizer.byteLevel || model.byte_fallback === true;
    this.byteIds = Int32Array.from(names, (name) => (fallback ? (this.vocabulary.get(name) ?? -1) : -1));
    this.optimize(merges);

    this.frame = textFrameOf(tokenizer.post_processor);
    this.specialTokens = specialTokensOf(config);
    for (const token of addedTokensOf(tokenizer, config, this.vocabulary)) this.added.set(token.id, token);
    const added = [...this.added.values()];
    this.addedIds = new Map(added.map((token) => [token.content, token.id]));
    this.original = new AddedTokenSplitter(added.filter((token) => !token.normalized));
    this.normalized = new AddedTokenSplitter(
      added.filter((token) => token.normalized),
      (token) => this.normalize(token.content),
    );
    for (const [token, id] of this.vocabulary) this.tokens[id] = token;
    for (const token of added) this.tokens[token.id] = token.content;
    this.vocabularySize = this.tokens.length;
  }

  /** Reads tokenizer.json and tokenizer_config.json of a model directory. */
  static async load(directory: string): Promise<Tokenizer> {
    const tokenizer = await readModelJson(directory, 'tokenizer.json');
    if (!tokenizer)
      throw new EngineError('bad_model', 'tokenizer.json is missing (other files of tokenizers are not read)');
    return new Tokenizer(tokenizer, await readModelJson(directory, 'tokenizer_config.json'));
  }

  /** The tokens of a text. Mostly without a frame: a chat template writes the beginning-of-text token where it wants one. */
  encode(text: string, options: EncodeOptions = {}): Int32Array {
    const special = options.special === true;
    const sink = new TokenSink();
    const onToken = (id: number) => sink.push(id);
    if (options.framed) for (const id of this.frame.before) sink.push(id);
    // As UTF-8 can't say them, halves of surrogate pairs become U+FFFD.
    this.original.split(
      text.toWellFormed(),
      special,
      (piece, at) => {
        const onWords = (part: string, partAt: number) => this.encodePart(part, at + partAt === 0, sink);
        this.normalized.split(this.normalize(piece), special, onWords, onToken);
      },
      onToken,
    );
    if (options.framed) for (const id of this.frame.after) sink.push(id);
    return sink.take();
  }

  /** The text of a whole text's tokens; ids that there are none of say nothing. */
  decode(ids: Iterable<number>, options: DecodeOptions = {}): string {
    const shown = Array.from(ids).filter(
      (id) => this.tokens[id] !== undefined && !(options.skipSpecial && this.isSpecial(id)),
    );
    if (this.decoder.textOf) return this.decoder.textOf(shown.map((id) => this.tokens[id]!));
    return textOfBytes(shown.map((id) => this.tokenBytes(id)));
  }

  /** The bytes that a token stands for: not always whole characters. None for an id that there is no token of. */
  tokenBytes(id: number): Uint8Array {
    const token = this.tokens[id];
    return token === undefined ? new Uint8Array() : (this.bytes[id] ??= this.decoder.bytesOf(token));
  }

  /** A token's bytes as text, U+FFFD where they are no whole characters. */
  tokenText(id: number): string {
    return textOfBytes([this.tokenBytes(id)]);
  }

  /** A token as the vocabulary writes it, e.g. `Ġthe`; '' for an id that there is no token of. */
  writtenToken(id: number): string {
    return this.tokens[id] ?? '';
  }

  isSpecial(id: number): boolean {
    return this.added.get(id)?.special === true;
  }

  /** Id of a token as it is written in the vocabulary. */
  idOf(token: string): number | undefined {
    return this.addedIds.get(token) ?? this.vocabulary.get(token);
  }

  private optimize(merges: readonly (readonly [string, string])[]): void {
    const { splits, byteLevel } = this.preTokenizer;
    // Words matter to merges only.
    if (merges.length === 0 && !this.ignoreMerges) return void splits.splice(0);
    // SentencePiece has no words, yet where no merge joins a mark to what is before it, words end before marks.
    const joins = ([left, right]: readonly [string, string]) =>
      right.startsWith(SENTENCEPIECE_MARK) && !left.endsWith(SENTENCEPIECE_MARK);
    if (splits.length === 0 && !byteLevel && !this.ignoreMerges && !merges.some(joins)) {
      splits.push((text) => splitBefore(text, SENTENCEPIECE_MARK, true));
    }
  }

  private encodePart(part: string, atStart: boolean, sink: TokenSink): void {
    let words = [this.preTokenizer.prepare(part, atStart)];
    for (const split of this.preTokenizer.splits) words = words.length === 1 ? split(words[0]!) : words.flatMap(split);
    for (const word of words) {
      if (word.length > LONGEST_CACHED_WORD) {
        sink.append(this.encodeWord(word));
        continue;
      }
      let ids = this.cache.get(word);
      if (!ids) {
        ids = this.encodeWord(word).slice();
        if (this.cache.size >= CACHED_WORDS) this.cache.clear();
        this.cache.set(word, ids);
      }
      sink.append(ids);
    }
  }

  /** A view of the scratch memory: valid until the next word. */
  private encodeWord(word: string): Int32Array {
    const bytes = this.preTokenizer.byteLevel ? Buffer.from(word) : null;
    if (this.ignoreMerges) {
      const whole = this.vocabulary.get(bytes ? Array.from(bytes, (byte) => BYTE_CHARACTERS[byte]).join('') : word);
      if (whole !== undefined) return Int32Array.of(whole);
    }
    const room = bytes ? bytes.length : 3 * word.length;
    if (this.scratch.length < room) this.scratch = new Int32Array(room);
    const symbols = this.scratch;
    const count = bytes ? this.byteSymbols(bytes, symbols) : this.characterSymbols(word, symbols);
    return symbols.subarray(0, this.encoder.merge(symbols, count));
  }

  private byteSymbols(bytes: Uint8Array, symbols: Int32Array): number {
    let count = 0;
    let unknown = false;
    for (const byte of bytes) {
      const id = this.byteIds[byte]!;
      count = id >= 0 ? this.place(symbols, count, id) : this.placeUnknown(symbols, count, unknown);
      unknown = id < 0;
    }
    return count;
  }

  private characterSymbols(word: string, symbols: Int32Array): number {
    let count = 0;
    let unknown = false;
    for (const character of word) {
      const id = this.vocabulary.get(character);
      const bytes = id === undefined ? Buffer.from(character) : null;
      const known = !bytes || bytes.every((byte) => this.byteIds[byte]! >= 0);
      if (!known) count = this.placeUnknown(symbols, count, unknown);
      else if (!bytes) count = this.place(symbols, count, id!);
      else for (const byte of bytes) count = this.place(symbols, count, this.byteIds[byte]!);
      unknown = !known;
    }
    return count;
  }

  private place(symbols: Int32Array, count: number, id: number): number {
    symbols[count] = id;
    return count + 1;
  }

  /** Without an unknown token such characters vanish, as in the original. */
  private placeUnknown(symbols: Int32Array, count: number, afterUnknown: boolean): number {
    if (this.unknownId < 0 || (afterUnknown && this.fuseUnknown)) return count;
    return this.place(symbols, count, this.unknownId);
  }
}
