/**
 * Priority for the write lock among threads of one process, each with a connection to one store. SQLite admits one of them and makes the
 * others retry, so a thread that retries constantly would starve the one that serves requests. Plain shared memory, to be passed to
 * threads.
 */
export type WriteTurn = Int32Array<SharedArrayBuffer>

const WANTED = 0
/** A waiting thread that is not woken checks again after this time. */
const PATIENCE_MS = 1_000

export function newWriteTurn(): WriteTurn {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** From here on no thread of lower priority begins, until `wantNoMore`. */
export function want(turn: WriteTurn): void {
  Atomics.add(turn, WANTED, 1)
}

export function wantNoMore(turn: WriteTurn): void {
  Atomics.sub(turn, WANTED, 1)
  Atomics.notify(turn, WANTED)
}

/** Whether a thread of lower priority makes another one wait. */
export function isWanted(turn: WriteTurn): boolean {
  return Atomics.load(turn, WANTED) > 0
}

/** Blocks while a thread of higher priority wants to write. For threads that serve no requests. */
export function giveTurn(turn: WriteTurn): void {
  for (let wanted = Atomics.load(turn, WANTED); wanted > 0; wanted = Atomics.load(turn, WANTED))
    Atomics.wait(turn, WANTED, wanted, PATIENCE_MS)
}
