import type { BaseModelInfo } from '@heddle/engine';
import type { DownloadStatus } from './hub/download-status.js';

export type BaseModelStateName = 'ready' | 'downloading' | 'failed';

/** A base model as its user sees it. */
export interface BaseModelView {
  id: string;
  state: BaseModelStateName;
  /** Percent, while it is downloaded and its size is known. */
  progress: number | null;
  /** Why it failed, or what a download waits for. */
  reason: string | null;
  /** null for as long as it is not ready. */
  info: BaseModelInfo | null;
}

/** How a base model that is not ready is doing. */
type Pending = Omit<BaseModelView, 'id' | 'info'>;

/** What of a download its user sees. */
export function pendingOf(status: DownloadStatus): Pending {
  if (status.state === 'failed') return { state: 'failed', progress: null, reason: status.reason };
  const { done, total, reason } = status;
  const progress = total === null ? null : total === 0 ? 100 : Math.floor((100 * done) / total);
  return { state: 'downloading', progress, reason };
}

/** Which base models there are: those that the engine has are ready, of the others it is written down how they do. */
export class BaseModelStates {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly known: () => readonly BaseModelInfo[]) {}

  set(id: string, pending: Pending): void {
    this.pending.set(id, pending);
  }

  /** From here on it is the engine's. */
  settle(id: string): void {
    this.pending.delete(id);
  }

  get(id: string): BaseModelView | null {
    const info = this.known().find((one) => one.id === id);
    if (info) return { id, state: 'ready', progress: null, reason: null, info };
    const pending = this.pending.get(id);
    return pending ? { id, ...pending, info: null } : null;
  }

  /** By name. */
  all(): BaseModelView[] {
    const ids = new Set([...this.known().map(({ id }) => id), ...this.pending.keys()]);
    return [...ids].sort().map((id) => this.get(id)!);
  }
}
