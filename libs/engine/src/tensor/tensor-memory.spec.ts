import { MemoryLimit } from './memory-limit.js';
import { TensorMemory } from './tensor-memory.js';
import { TensorRoom } from './tensor-room.js';

const PAGE = 65_536;

describe('memories under one limit', () => {
  it('grow together as far as it goes, and what one leaves is there for the others', () => {
    const limit = new MemoryLimit(10 * PAGE);
    const [first, second] = [new TensorMemory(limit), new TensorMemory(limit)];
    first.allocate(5 * PAGE);
    expect(limit.free).toBe(3 * PAGE);
    expect(() => second.allocate(4 * PAGE)).toThrow(expect.objectContaining({ code: 'out_of_memory' }));
    expect(limit.free).toBe(3 * PAGE);
    first.leave();
    second.allocate(4 * PAGE);
    expect(limit.free).toBe(5 * PAGE);
  });

  it('know by how much they must grow, which is nothing where enough was freed', () => {
    const memory = new TensorMemory(new MemoryLimit(10 * PAGE));
    expect(memory.missing(2 * PAGE)).toBe(2 * PAGE);
    const address = memory.allocate(2 * PAGE);
    expect(memory.missing(1)).toBe(PAGE);
    memory.release(address);
    expect(memory.missing(2 * PAGE)).toBe(0);
    expect(memory.missing(3 * PAGE)).toBe(PAGE);
  });

  it('are many in one process', () => {
    const limit = new MemoryLimit(64 * 1024 ** 3);
    expect(() => Array.from({ length: 32 }, () => new TensorMemory(limit))).not.toThrow();
  });
});

describe('a room', () => {
  it('has what was taken and no more, zeroed, and goes as a whole', () => {
    const memory = new TensorMemory(new MemoryLimit(10 * PAGE));
    const before = memory.usedBytes;
    const room = new TensorRoom(memory, 2 * PAGE);
    const address = room.allocate(PAGE);
    memory.floats(address, 4).fill(1);
    room.release(address);
    expect([...memory.floats(room.allocate(PAGE), 4)]).toEqual([0, 0, 0, 0]);
    room.allocate(PAGE);
    expect(() => room.allocate(1)).toThrow(RangeError);
    room.giveUp();
    expect(memory.usedBytes).toBe(before);
  });
});
