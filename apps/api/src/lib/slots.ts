/** Limits the work that runs at the same time in this process. `isFree` decides whether one more may run beside those that run now. */
export type Slots<Slot> = {
  /** Waits until a slot is free and runs the work in it. Errors: the reason of the signal. */
  run<T>(slot: Slot, signal: AbortSignal, work: () => Promise<T>): Promise<T>
  count(isCounted: (slot: Slot) => boolean): number
}

export function createSlots<Slot>(isFree: (slot: Slot, running: ReadonlySet<Slot>) => boolean): Slots<Slot> {
  const running = new Set<Slot>()
  let waiting: (() => void)[] = []
  const nextRelease = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(() => {
        signal.removeEventListener('abort', leave)
        resolve()
      })
    })
  }
  return {
    run: async (slot, signal, work) => {
      while (!isFree(slot, running)) await nextRelease(signal)
      signal.throwIfAborted()
      const taken = structuredClone(slot)
      running.add(taken)
      try {
        return await work()
      } finally {
        running.delete(taken)
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      }
    },
    count: (isCounted) => [...running].filter(isCounted).length,
  }
}
