import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, takeLock } from './file-lock.ts'

/**
 * Locks by which one process finds out that another has died. A mark is a lock on a file with the process's name, which the system releases when the
 * process ends for any reason. A mark only shortens the wait for resources of a killed process. A process without a file here (another data folder, a
 * restored store) counts as dead when its lease has expired.
 */
export type ProcessMarks = {
  /** takes the mark with this name and releases the previous mark of this process */
  hold(name: string): void
  /** true if the mark's file exists and no process has it locked */
  isAbandoned(name: string): boolean
  forget(name: string): void
  /** releases the mark of this process */
  release(): void
}

export function createProcessMarks(dataDir: string, folder: string): ProcessMarks {
  let held: { name: string; lock: FileLock } | undefined
  const fileOf = (name: string) => join(dataDir, folder, name)
  const forget = (name: string) => rmSync(fileOf(name), { force: true })
  const release = () => {
    held?.lock.release()
    if (held !== undefined) forget(held.name)
    held = undefined
  }
  return {
    hold(name) {
      if (held?.name === name) return
      release()
      const lock = takeLock(fileOf(name), { alone: true, patienceMs: 0 })
      if (lock !== undefined) held = { name, lock }
    },
    isAbandoned(name) {
      if (name === held?.name || !existsSync(fileOf(name))) return false
      const lock = takeLock(fileOf(name), { alone: true, patienceMs: 0 })
      lock?.release()
      return lock !== undefined
    },
    forget,
    release,
  }
}
