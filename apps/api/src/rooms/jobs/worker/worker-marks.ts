import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FileLock, takeLock } from '../../../store/files/file-lock.ts'
import { JOB_WORKERS_FOLDER } from '../../../store/files/store-files.ts'

/**
 * What tells at once that a worker is dead: a lock on a file of its name, which the system lets go when the process ends, however it ends.
 * It shortens the wait for the jobs of a killed process and decides nothing else: a worker whose file is not there (another data folder,
 * a store brought back) is lost only when its beat has stood still for a lease, and no write rests on a lock.
 */
export type WorkerMarks = {
  /** Holds the mark of this name, and lets go of the one before. */
  hold(name: string): void
  /** Whether nobody holds the mark of this name, which is there. */
  isAbandoned(name: string): boolean
  forget(name: string): void
  /** Lets go of its own. */
  release(): void
}

export function createWorkerMarks(dataDir: string): WorkerMarks {
  let held: { name: string; lock: FileLock } | undefined
  const fileOf = (name: string) => join(dataDir, JOB_WORKERS_FOLDER, name)
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
