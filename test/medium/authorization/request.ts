import type { Role, Scene } from './scene.js';

/** What is sent, beside the caller's key. */
export interface Request {
  path: string;
  /** Sent as JSON, unless it is a form or text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Stands in an answer that shows what the scene holds; without it an answer of 200 tells the caller nothing. */
  shows?: string;
  /** It speaks of what is the caller's own. */
  isOwn?: boolean;
}

/** Makes what the request uses up, if it uses up anything. */
export type Builder = (scene: Scene, role: Role) => Request | Promise<Request>;

/** By `METHOD /template`. */
export type Builders = Record<string, Builder>;
