/**
 * Priority for the write lock among threads of one process, each with a connection to the same store. SQLite admits one of them and makes the others
 * retry, so a thread that retries constantly would starve the thread that serves requests. The value is plain shared memory, to be passed to threads.
 */
export type WriterPriority = Int32Array<SharedArrayBuffer>

const WANTED = 0
/** Time after which a waiting thread that was not woken checks again. */
const PATIENCE_MS = 1_000

export function newWriteTurn(): WriterPriority {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Stops threads of lower priority from beginning a write, until `wantNoMore`. */
export function want(turn: WriterPriority): void {
  Atomics.add(turn, WANTED, 1)
}

export function wantNoMore(turn: WriterPriority): void {
  Atomics.sub(turn, WANTED, 1)
  Atomics.notify(turn, WANTED)
}

/** True while a thread of lower priority makes another one wait. */
export function isWanted(turn: WriterPriority): boolean {
  return Atomics.load(turn, WANTED) > 0
}

/** Blocks while a thread of higher priority wants to write. For threads that serve no requests. */
export function giveTurn(turn: WriterPriority): void {
  for (let wanted = Atomics.load(turn, WANTED); wanted > 0; wanted = Atomics.load(turn, WANTED))
    Atomics.wait(turn, WANTED, wanted, PATIENCE_MS)
}
