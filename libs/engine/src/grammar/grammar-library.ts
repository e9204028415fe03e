import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

/** What lives in the library's memory until it is deleted. */
export interface Handle {
  delete(): void;
}

interface TokenBits extends Handle {
  size(): number;
  get(index: number): number;
}

export interface MatcherHandle extends Handle {
  AcceptToken(id: number, verbose: boolean): boolean;
  GetNextTokenBitmask(vocabularySize: number): TokenBits;
  IsTerminated(): boolean;
  Reset(): void;
}

interface Owned<H extends Handle = Handle> {
  handle: H;
  dispose(): void;
}

export type CompiledGrammar = Owned;
export type TokenizerInfo = Owned & { getVocabSize(): number };

/** The part of `@mlc-ai/web-xgrammar` that is used. */
export interface GrammarLibrary {
  Grammar: { fromEBNF(rules: string, root: string): Promise<Owned> };
  TokenizerInfo: {
    createTokenizerInfo(
      tokens: string[],
      kind: 'byte_level',
      prependSpace: boolean,
      size: number,
      endIds: number[],
    ): Promise<TokenizerInfo>;
  };
  GrammarCompiler: {
    createGrammarCompiler(
      tokens: TokenizerInfo,
      cache: boolean,
    ): Promise<Owned & { compileGrammar(grammar: Owned): Promise<CompiledGrammar> }>;
  };
  GrammarMatcher: {
    createGrammarMatcher(compiled: { handle: Handle; tokenizerInfo(): TokenizerInfo }): Promise<Owned<MatcherHandle>>;
  };
}

/**
 * A new instance of the library, with memory of its own. Its package says that it is an ES module, but holds a CommonJS
 * bundle, which Node refuses to import: so the bundle is compiled here. It is shown no Node, only what a browser has;
 * the WebAssembly is inside it, and it opens no file. What it prints goes to `print`.
 */
export function loadGrammarLibrary(print: (line: string) => void): GrammarLibrary {
  const file = createRequire(import.meta.url).resolve('@mlc-ai/web-xgrammar');
  const names = ['exports', 'module', 'process', 'window', 'location', 'console'];
  const run = compileFunction(readFileSync(file, 'utf8'), names, { filename: file }) as (...values: unknown[]) => void;
  const exports: Partial<GrammarLibrary> = {};
  run(exports, { exports }, undefined, {}, { href: '' }, { log: print, warn: print, error: print });
  return exports as GrammarLibrary;
}
