import { LRUCache } from 'lru-cache';
import { EngineError } from '../protocol/engine.errors.js';
import type { Tool, ToolCallForm } from '../protocol/chat.js';
import type { OutputFormat } from '../protocol/generate.js';
import {
  loadGrammarLibrary,
  type CompiledGrammar,
  type GrammarLibrary,
  type MatcherHandle,
  type TokenizerInfo,
} from './grammar-library.js';
import { codedBytes } from './coded-text.js';
import type { Check } from '../schema/schema-check.js';
import { outputRules, type OutputRules, ROOT } from './output-rules.js';

/** What a token adds to the text. */
export interface TokenBytes {
  /** Empty for special tokens. */
  bytes: Uint8Array;
  special: boolean;
}

/** Follows one completion. It holds memory until `dispose`. */
export interface OutputState {
  /** Which tokens may come: one bit each, lowest first. Valid until the next call. */
  mask(): Int32Array;
  /** Whether the token may come; if so, it counts as sampled. */
  accept(id: number): boolean;
  /** The end token was accepted. */
  readonly finished: boolean;
  /** Whether a text that the grammar allows may be wrong all the same. */
  readonly isChecked: boolean;
  /** What is wrong with the whole text; null: nothing. */
  complaint(): string | null;
  /** Begins again. */
  restart(): void;
  dispose(): void;
}

type MatcherClass = new (
  compiled: CompiledGrammar['handle'],
  endIds: undefined,
  endless: false,
  rollback: -1,
) => MatcherHandle;

interface Session {
  tokens: TokenizerInfo;
  compiler: Awaited<ReturnType<GrammarLibrary['GrammarCompiler']['createGrammarCompiler']>>;
  library: GrammarLibrary;
}

/** One grammar is kept for each format seen lately. */
const CACHED = 32;

/**
 * Grammars that hold completions to an output format, for one vocabulary on one thread. The library, some 16 MB, is
 * loaded at the first `compile`.
 */
export class GrammarCompiler {
  private session: Promise<Session> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private lastLine = '';
  private readonly cache = new LRUCache<string, Grammar>({ max: CACHED, dispose: (grammar) => grammar.dispose() });

  private constructor(
    private readonly tokens: readonly TokenBytes[],
    private readonly endIds: readonly number[],
  ) {}

  static create(tokens: readonly TokenBytes[], endIds: readonly number[]): GrammarCompiler {
    return new GrammarCompiler(tokens, endIds);
  }

  /**
   * The grammar stays the compiler's: start what it is needed for before compiling others.
   * @throws EngineError `invalid_request` where the format can't be enforced.
   */
  async compile(format: OutputFormat, tools: readonly Tool[] = [], form: ToolCallForm = 'tagged'): Promise<Grammar> {
    const key = JSON.stringify([format, format.type.startsWith('tool_call') ? tools : null, form]);
    const known = this.cache.get(key);
    if (known) return known;
    // One at a time, so that the same format asked for twice at once is compiled once.
    const compiled = this.queue.then(
      async () => this.cache.get(key) ?? (await this.translate(key, outputRules(format, tools, form))),
    );
    this.queue = compiled.catch(() => undefined);
    return compiled;
  }

  /** Frees all grammars; completions under way keep theirs. */
  async dispose(): Promise<void> {
    await this.queue;
    this.cache.clear();
    const session = await this.session?.catch(() => null);
    this.session = null;
    session?.compiler.dispose();
    session?.tokens.dispose();
  }

  private async translate(key: string, { rules, check }: OutputRules): Promise<Grammar> {
    const session = await (this.session ??= this.open());
    try {
      const parsed = await session.library.Grammar.fromEBNF(rules, ROOT);
      const compiled = await session.compiler.compileGrammar(parsed);
      parsed.dispose();
      // Matchers are made through the class of one that was made asynchronously: `start` need not wait, and the
      // library's own way leaves something behind for each.
      const first = await session.library.GrammarMatcher.createGrammarMatcher({
        handle: compiled.handle,
        tokenizerInfo: () => session.tokens,
      });
      const grammar = new Grammar(compiled, first.handle.constructor as MatcherClass, this.tokens, check);
      first.dispose();
      this.cache.set(key, grammar);
      return grammar;
    } catch (error) {
      // An abort, out of memory for one, leaves the instance unusable: the next format gets a new one.
      this.session = null;
      this.cache.clear();
      const reason = this.lastLine || (error instanceof Error ? error.message : String(error));
      throw new EngineError('invalid_request', `The format can't be enforced: ${reason}`, 'response_format');
    }
  }

  private async open(): Promise<Session> {
    const library = loadGrammarLibrary((line) => {
      // Without the place in the library's source, which the user has no use for.
      if (line.startsWith('[FATAL]')) this.lastLine = line.replace(/^\[FATAL\] \S+: /, '');
    });
    const tokens = await library.TokenizerInfo.createTokenizerInfo(
      this.tokens.map((token) => byteLevel((token.special ? null : codedBytes(token.bytes)) ?? [])),
      'byte_level',
      false,
      this.tokens.length,
      [...this.endIds],
    );
    return { tokens, library, compiler: await library.GrammarCompiler.createGrammarCompiler(tokens, false) };
  }
}

/** A compiled format. */
export class Grammar {
  private disposed = false;

  constructor(
    private readonly compiled: CompiledGrammar,
    private readonly matcher: MatcherClass,
    private readonly tokens: readonly TokenBytes[],
    private readonly check: Check | null,
  ) {}

  start(): OutputState {
    if (this.disposed) throw new EngineError('closed', 'The grammar is no longer there.');
    const matcher = new this.matcher(this.compiled.handle, undefined, false, -1);
    return new MatcherState(matcher, this.tokens, this.check);
  }

  dispose(): void {
    if (!this.disposed) this.compiled.dispose();
    this.disposed = true;
  }
}

class MatcherState implements OutputState {
  private readonly bits: Int32Array;
  private readonly accepted: Uint8Array[] = [];
  private disposed = false;

  constructor(
    private readonly matcher: MatcherHandle,
    private readonly tokens: readonly TokenBytes[],
    private readonly check: Check | null,
  ) {
    this.bits = new Int32Array(Math.ceil(tokens.length / 32));
  }

  get isChecked(): boolean {
    return this.check !== null;
  }

  complaint(): string | null {
    return this.check?.(new TextDecoder().decode(Buffer.concat(this.accepted))) ?? null;
  }

  mask(): Int32Array {
    const allowed = this.matcher.GetNextTokenBitmask(this.tokens.length);
    for (let i = 0; i < this.bits.length; i++) this.bits[i] = allowed.get(i);
    allowed.delete();
    return this.bits;
  }

  accept(id: number): boolean {
    if (this.finished || !this.matcher.AcceptToken(id, false)) return false;
    if (this.check) this.accepted.push(this.tokens[id]!.bytes);
    return true;
  }

  get finished(): boolean {
    return this.matcher.IsTerminated();
  }

  restart(): void {
    this.matcher.Reset();
    this.accepted.length = 0;
  }

  dispose(): void {
    if (!this.disposed) this.matcher.delete();
    this.disposed = true;
  }
}

/** Bytes as GPT-2's tokenizer writes them: one printable character for each. */
function byteLevel(bytes: ArrayLike<number>): string {
  return Array.from(bytes, (byte) => BYTE_CHARACTERS[byte]).join('');
}

const BYTE_CHARACTERS = byteCharacters();

function byteCharacters(): string[] {
  let unprintable = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(printable ? byte : 256 + unprintable++);
  });
}
