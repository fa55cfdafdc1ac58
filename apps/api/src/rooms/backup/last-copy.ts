import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Manifest } from './manifest.ts'

const LAST_COPY_FILE = 'last-copy.json'
/** The name of what made a copy. It is a single word, so that no address or secret of the destination gets into the record. */
const COPIED_BY = /^[a-z][a-z0-9_-]{0,31}$/

const lastCopySchema = z.strictObject({
  backup: z.string(),
  takenAt: z.iso.datetime(),
  copiedAt: z.iso.datetime(),
  by: z.string().regex(COPIED_BY),
})
/** The newest backup of which a copy off this host is recorded. */
export type LastCopy = z.infer<typeof lastCopySchema>

/** Returns the newest backup that is off this host, as the programs that copy backups record it; undefined if none is recorded or the record is damaged. */
export function findLastCopy(shelf: string): LastCopy | undefined {
  const file = join(shelf, LAST_COPY_FILE)
  if (!existsSync(file)) return undefined
  try {
    return lastCopySchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Records that a copy of this backup is off this host. A later copy of an older backup changes nothing, because the age of the newest one counts,
 * unless the recorded time is in the future: it is then of a wrong clock and would hide that copies have stopped. Errors: `invalid_request` if `by` is not a single word.
 */
export function recordCopy(
  shelf: string,
  { id: backup, takenAt }: Pick<Manifest, 'id' | 'takenAt'>,
  by: string,
  clock: Clock,
): LastCopy {
  if (!COPIED_BY.test(by)) throw new AppError('invalid_request', 'Name what made the copy in one word, such as restic.')
  const now = clock()
  const known = findLastCopy(shelf)
  const knownMs = Date.parse(known?.takenAt ?? takenAt)
  if (known !== undefined && knownMs > Date.parse(takenAt) && knownMs <= now.getTime()) return known
  const copy = { backup, takenAt, copiedAt: now.toISOString(), by }
  mkdirSync(shelf, { recursive: true, mode: 0o700 })
  const file = join(shelf, LAST_COPY_FILE)
  writeFileSync(`${file}.draft`, `${JSON.stringify(copy, null, 2)}\n`)
  renameSync(`${file}.draft`, file)
  return copy
}
