/**
 * Whose turn it is to write, where several threads of a program each have a connection to one store. SQLite lets one of them in and tells the
 * others to try again, so a thread that tries at once, all the time, would keep out the one that serves people. Plain shared memory, to be
 * handed to threads.
 */
export type WriteTurn = Int32Array<SharedArrayBuffer>

const WANTED = 0
/** A thread that nobody woke looks again after this time. */
const PATIENCE_MS = 1_000

export function newWriteTurn(): WriteTurn {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** From here on no thread that gives way begins anew, until `wantNoMore`. */
export function want(turn: WriteTurn): void {
  Atomics.add(turn, WANTED, 1)
}

export function wantNoMore(turn: WriteTurn): void {
  Atomics.sub(turn, WANTED, 1)
  Atomics.notify(turn, WANTED)
}

/** Whether a thread that gives way keeps somebody waiting. */
export function isWanted(turn: WriteTurn): boolean {
  return Atomics.load(turn, WANTED) > 0
}

/** Stands still while anybody wants to write. For threads that serve nobody. */
export function giveTurn(turn: WriteTurn): void {
  for (let wanted = Atomics.load(turn, WANTED); wanted > 0; wanted = Atomics.load(turn, WANTED))
    Atomics.wait(turn, WANTED, wanted, PATIENCE_MS)
}
