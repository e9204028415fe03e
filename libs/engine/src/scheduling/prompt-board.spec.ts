import { BoardClosedError, PromptBoard } from './prompt-board.js';

const LAYERS = 2;
const compute = (board: PromptBoard, piece: number, layers = LAYERS) => {
  for (let layer = 0; layer < layers; layer++) board.reached(piece, layer);
};

describe("a prompt's board", () => {
  it('gives each piece to one thread, in their order, and the last one to nobody but who samples from it', () => {
    const board = PromptBoard.open(4, 2);
    const other = new PromptBoard(board.buffer);
    expect([board.claim(), other.enter(1), board.claim()]).toEqual([0, 1, 2]);
    expect([board.open, other.claim(), other.enter(1)]).toEqual([false, null, null]);
  });

  it('counts the pieces that are computed with all before them', () => {
    const board = PromptBoard.open(3, 2);
    expect(board.completed(LAYERS)).toBe(0);
    compute(board, 0);
    compute(board, 1, 1);
    expect(board.completed(LAYERS)).toBe(1);
    board.reached(1, 1);
    compute(board, 2);
    expect(board.completed(LAYERS)).toBe(3);
  });

  it('lets nobody wait for a piece that will not come: the prompt was given up, or a thread died of it', () => {
    const stopped = PromptBoard.open(3, 2);
    stopped.giveUp();
    expect(() => stopped.reached(1, 0)).toThrow(BoardClosedError);
    expect(stopped.claim()).toBeNull();

    const dead = PromptBoard.open(3, 2);
    expect(dead.enter(1)).toBe(0);
    dead.lost(1);
    expect(() => dead.reached(1, 0)).toThrow(BoardClosedError);
    dead.close();
  });

  it('is closed at once where nobody computes', () => {
    const board = PromptBoard.open(3, 2);
    expect(board.enter(1)).toBe(0);
    board.leave(1);
    board.close();
    expect(board.enter(1)).toBeNull();
  });
});
