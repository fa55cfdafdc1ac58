/**
 * Priority for the write lock among the threads of one process, each with its own connection to the store. SQLite admits one writer and makes the
 * others retry, so a thread that writes constantly would starve the thread that serves requests. The value is shared memory, which can be passed to
 * threads.
 */
export type WriterPriority = Int32Array<SharedArrayBuffer>

const WANTED = 0
/** Time after which a waiting thread checks again, in case it missed its wake-up. */
const PATIENCE_MS = 1_000

export function newWriteTurn(): WriterPriority {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Makes threads of lower priority wait before their next write, until `wantNoMore` is called. */
export function want(turn: WriterPriority): void {
  Atomics.add(turn, WANTED, 1)
}

export function wantNoMore(turn: WriterPriority): void {
  Atomics.sub(turn, WANTED, 1)
  Atomics.notify(turn, WANTED)
}

/** True while a thread of higher priority wants to write. */
export function isWanted(turn: WriterPriority): boolean {
  return Atomics.load(turn, WANTED) > 0
}

/** Blocks this thread while a thread of higher priority wants to write. Only for threads that serve no requests. */
export function giveTurn(turn: WriterPriority): void {
  for (let wanted = Atomics.load(turn, WANTED); wanted > 0; wanted = Atomics.load(turn, WANTED))
    Atomics.wait(turn, WANTED, wanted, PATIENCE_MS)
}
