import type { Address } from './kernels.js';

/** Of all addresses and sizes. */
export const ALIGNMENT = 64;

/** Hands out parts of one stretch of memory, first fit, and takes them back. */
export class FreeList {
  private readonly sizes = new Map<Address, number>();
  /** Free parts in the order of their addresses, never two that touch. */
  private free: { start: Address; size: number }[] = [];

  /** @param end where the stretch ends at present; {@link extend} moves it. */
  constructor(private end: Address) {}

  static over(start: Address, bytes: number): FreeList {
    const list = new FreeList(start);
    list.extend(start + bytes);
    return list;
  }

  /** Bytes handed out at present. */
  get usedBytes(): number {
    let sum = 0;
    for (const size of this.sizes.values()) sum += size;
    return sum;
  }

  /** The address of `bytes`, aligned to 64, or null where no free part is large enough. */
  allocate(bytes: number): Address | null {
    const size = FreeList.rounded(bytes);
    const at = this.free.findIndex((part) => part.size >= size);
    if (at < 0) return null;
    const part = this.free[at]!;
    if (part.size === size) this.free.splice(at, 1);
    else this.free[at] = { start: part.start + size, size: part.size - size };
    this.sizes.set(part.start, size);
    return part.start;
  }

  fits(bytes: number): boolean {
    return this.free.some(({ size }) => size >= FreeList.rounded(bytes));
  }

  release(start: Address): void {
    const size = this.sizes.get(start);
    if (size === undefined) throw new Error(`nothing is allocated at ${start}`);
    this.sizes.delete(start);
    this.insert(start, size);
  }

  /** Where the stretch must end so that `bytes` fit. */
  endFor(bytes: number): Address {
    const last = this.free.at(-1);
    const start = last && last.start + last.size === this.end ? last.start : this.end;
    return start + FreeList.rounded(bytes);
  }

  extend(end: Address): void {
    if (end <= this.end) return;
    const start = this.end;
    this.end = end;
    this.insert(start, end - start);
  }

  private static rounded(bytes: number): number {
    return Math.ceil(Math.max(bytes, 1) / ALIGNMENT) * ALIGNMENT;
  }

  private insert(start: Address, size: number): void {
    let at = this.free.findIndex((part) => part.start > start);
    if (at < 0) at = this.free.length;
    const before = this.free[at - 1];
    const after = this.free[at];
    const joinsBefore = before !== undefined && before.start + before.size === start;
    const joinsAfter = after !== undefined && start + size === after.start;
    if (joinsBefore && joinsAfter) {
      before.size += size + after.size;
      this.free.splice(at, 1);
    } else if (joinsBefore) {
      before.size += size;
    } else if (joinsAfter) {
      after.start = start;
      after.size += size;
    } else {
      this.free.splice(at, 0, { start, size });
    }
  }
}
