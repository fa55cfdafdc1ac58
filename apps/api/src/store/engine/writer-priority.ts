/**
 * Priority for the write lock among threads of one process, each with a connection to one store. SQLite admits one of them and makes the
 * others retry, so a thread that retries constantly would starve the one that serves requests. Plain shared memory, to be passed to
 * threads.
 */
export type WriterPriority = Int32Array<SharedArrayBuffer>

const WANTED = 0
/** A waiting thread that is not woken checks again after this time. */
const PATIENCE_MS = 1_000

export function newWriteTurn(): WriterPriority {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** From here on no thread of lower priority begins, until `wantNoMore`. */
export function want(turn: WriterPriority): void {
  Atomics.add(turn, WANTED, 1)
}

export function wantNoMore(turn: WriterPriority): void {
  Atomics.sub(turn, WANTED, 1)
  Atomics.notify(turn, WANTED)
}

/** Whether a thread of lower priority makes another one wait. */
export function isWanted(turn: WriterPriority): boolean {
  return Atomics.load(turn, WANTED) > 0
}

/** Blocks while a thread of higher priority wants to write. For threads that serve no requests. */
export function giveTurn(turn: WriterPriority): void {
  for (let wanted = Atomics.load(turn, WANTED); wanted > 0; wanted = Atomics.load(turn, WANTED))
    Atomics.wait(turn, WANTED, wanted, PATIENCE_MS)
}
