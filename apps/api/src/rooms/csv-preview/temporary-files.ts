import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { type LimitWords, limitReached } from '../../lib/limit-reached.ts'
import { UPLOADS_FOLDER } from '../../store/files/store-files.ts'

/**
 * Maximum numbers of concurrent uploads, including unfinished ones. The total limits the disk space that a process uses. The limits per tenant and
 * per person ensure that one cannot use all of it.
 */
export const folderLimits = { inAll: 24, ofATenant: 8, ofAPerson: 4 } as const

export const uploadsOfPerson: LimitWords = {
  name: 'csv_uploads',
  of: 'person',
  label: 'files that are being uploaded or read',
  remedy: 'Wait until one of them is done.',
}
export const uploadsOfTenant: LimitWords = { ...uploadsOfPerson, name: 'csv_uploads_of_workspace', of: 'tenant' }

/** Time after which a refused person may try again. A file takes some seconds, or some minutes if it is large. */
const RETRY_AFTER_SECONDS = 10

function requireFewer(limit: LimitWords, used: number, max: number): void {
  if (used >= max) throw limitReached(limit, { code: 'queue_full', used, max, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

type Owner = Pick<UserActor, 'tenantId' | 'userId'>

export type TemporaryFolder = { path: string; remove: () => void }
export type TemporaryFiles = {
  /** Creates a folder for one upload and the files of its analysis. Errors: `queue_full`, `unavailable` (too many folders). */
  folder(owner: Owner): TemporaryFolder
  removeAll(): void
}

/**
 * Opens the folder in which uploads are stored while they are read. Deletes folders that killed processes left, but not those of running processes.
 */
export function openTemporaryFiles(dataDir: string): TemporaryFiles {
  const root = join(dataDir, UPLOADS_FOLDER)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(root)) {
    if (!isRunning(Number.parseInt(name, 10))) rmSync(join(root, name), { recursive: true, force: true })
  }
  const own = join(root, `${process.pid}.${newId()}`)
  const open = new Map<string, Owner>()
  return {
    folder(owner) {
      const ofTenant = [...open.values()].filter(({ tenantId }) => tenantId === owner.tenantId)
      const ofPerson = ofTenant.filter(({ userId }) => userId === owner.userId)
      requireFewer(uploadsOfPerson, ofPerson.length, folderLimits.ofAPerson)
      requireFewer(uploadsOfTenant, ofTenant.length, folderLimits.ofATenant)
      if (open.size >= folderLimits.inAll) {
        throw new AppError('unavailable', 'Too many files are being uploaded. Try again in a moment.', {
          reason: 'csv_uploads_full',
        })
      }
      const path = join(own, newId())
      mkdirSync(path, { recursive: true, mode: 0o700 })
      open.set(path, owner)
      const remove = () => {
        open.delete(path)
        rmSync(path, { recursive: true, force: true })
      }
      return { path, remove }
    },
    removeAll: () => rmSync(own, { recursive: true, force: true }),
  }
}

/**
 * True if another process with this id is running. A folder with this process's own id belongs to an earlier process, because in a container every
 * process gets the same id.
 */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
