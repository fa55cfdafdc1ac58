/** Memory shared by the threads of a run: the stop flag and, for each channel, the number of messages that were sent and not yet processed. */
export type RunControl = Int32Array<SharedArrayBuffer>

/**
 * The channels of a run. `read`: from the reading to the comparing thread. `found` (from the comparing thread) and `keys` (from the reading thread):
 * to the serving thread, which forwards both to the writer. While more keys can follow, the reading thread counts one additional message on `keys`
 * that it never sends.
 */
type Way = 'read' | 'found' | 'keys'

const STOP = 0
const waitingOn: Readonly<Record<Way, number>> = { read: 1, found: 2, keys: 3 }
/** Maximum number of waiting messages per channel. They are at most a second of work and some megabytes. */
const mostWaiting: Readonly<Record<Way, number>> = { read: 64, found: 8, keys: 4 }
/** Time after which a waiting thread checks again, in case it missed its wake-up. */
const PATIENCE_MS = 1_000

/** Thrown in a thread after the run was stopped. No other thread waits for the results of this one. */
export class Stopped extends Error {}

export function newRunControl(): RunControl {
  const control = new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT))
  control[waitingOn.keys] = 1
  return control
}

/**
 * Returns the functions by which one thread uses the shared memory. The reading and comparing threads block while they wait; the serving thread never
 * blocks.
 */
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
    /** Throws `Stopped` if the run was stopped. */
    goOn,
    waiting,
    /** Waits until few enough messages are waiting, then sends a message. */
    handOver: (way: Way, send: () => void): void => {
      whileWaiting(way, (now) => now >= mostWaiting[way])
      send()
      Atomics.add(control, waitingOn[way], 1)
      Atomics.notify(control, waitingOn[way])
    },
    /** Waits until a message is sent. */
    untilSent: (way: Way): void => {
      whileWaiting(way, (now) => now === 0)
    },
    /** Waits until all messages are processed. */
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
