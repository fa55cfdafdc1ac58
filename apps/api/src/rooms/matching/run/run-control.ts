/** Shared by the threads of a run: whether it must stop, and how many messages of each way were sent and not yet dealt with. */
export type RunControl = Int32Array<SharedArrayBuffer>

/**
 * `read`: from the thread that reads to the one that compares; `found` from there, and `keys` from the thread that reads, to the one that serves,
 * which has them written. While there may be more keys the thread that reads has one message waiting that it never sends.
 */
type Way = 'read' | 'found' | 'keys'

const STOP = 0
const waitingOn: Readonly<Record<Way, number>> = { read: 1, found: 2, keys: 3 }
/** Of what may wait: a second of work at most, and some megabytes. */
const mostWaiting: Readonly<Record<Way, number>> = { read: 64, found: 8, keys: 4 }
/** Somebody who was not woken looks again by himself. */
const PATIENCE_MS = 1_000

/** The run was stopped: nobody waits for what this thread has. */
export class Stopped extends Error {}

export function newRunControl(): RunControl {
  const control = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT))
  control[waitingOn.keys] = 1
  return control
}

/** One thread's side of it. Threads that read and compare wait by standing still; the one that serves never waits. */
export function createRunControl(control: RunControl) {
  const waiting = (way: Way): number => Atomics.load(control, waitingOn[way])
  const goOn = (): void => {
    if (Atomics.load(control, STOP) !== 0) throw new Stopped()
  }
  const whileWaiting = (way: Way, isWaitedFor: (waiting: number) => boolean): void => {
    for (;;) {
      goOn()
      const now = waiting(way)
      if (!isWaitedFor(now)) return
      Atomics.wait(control, waitingOn[way], now, PATIENCE_MS)
    }
  }
  return {
    /** Throws `Stopped` when the run must stop. */
    goOn,
    waiting,
    /** Sends, once little enough waits already. */
    handOver: (way: Way, send: () => void): void => {
      whileWaiting(way, (now) => now >= mostWaiting[way])
      send()
      Atomics.add(control, waitingOn[way], 1)
      Atomics.notify(control, waitingOn[way])
    },
    /** Until something waits. */
    untilSent: (way: Way): void => {
      whileWaiting(way, (now) => now === 0)
    },
    /** Until all of them are dealt with. */
    untilNone: (way: Way): void => {
      whileWaiting(way, (now) => now > 0)
    },
    dealtWith: (way: Way, count = 1): void => {
      Atomics.sub(control, waitingOn[way], count)
      Atomics.notify(control, waitingOn[way])
    },
    stop: (): void => {
      Atomics.store(control, STOP, 1)
      for (const at of Object.values(waitingOn)) Atomics.notify(control, at)
    },
  }
}
