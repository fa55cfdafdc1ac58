import type { UserActor } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { type LimitWords, limitReached } from '../../lib/limit-reached.ts'
import type { Store } from '../../store/store.ts'
import type { ReadFile } from './csv/run-analysis.ts'
import type { CreateCsvPreview } from './csv-preview.schema.ts'
import type { Upload } from './receive-upload.ts'

/** Limits of previews in memory; `docs/limits.md` lists them. */
export const heldLimits = {
  /** time after the last use; each list of rows is a use */
  minutes: 15,
  /** time after which a preview expires even if it is in use: a working day */
  hoursAtMost: 10,
  ofAPerson: 3,
  inAll: 24,
  /** compressed content of one file, and of all; a list of contacts is compressed to about a third */
  packedBytesEach: 40_000_000,
  packedBytesInAll: 96_000_000,
  /** the limits below are for large files that wait for their job or are being read; each is a file on disk */
  minutesWaiting: 30,
  readingOfAPerson: 2,
  readingInAll: 10,
} as const

const MINUTE_MS = 60_000
/** Time after which a refused person may try again. A large file takes some minutes. */
const RETRY_AFTER_SECONDS = 30

export const readingOfPerson: LimitWords = {
  name: 'large_csv_files',
  of: 'person',
  label: 'large files that are being read',
  remedy: 'Wait until one of them is done, or cancel it.',
}

type Owner = Pick<UserActor, 'tenantId' | 'userId'>
type Held = { id: string; owner: Owner; createdAt: Date; expiresAt: Date; file: Upload }

export type ReadyPreview = Held & ReadFile & { status: 'ready'; phoneRegion: string | null }
/** A preview whose file a job is reading or will read. */
export type ReadingPreview = Held & {
  status: 'reading'
  jobId: string | null
  path: string
  query: CreateCsvPreview
  /** null until the job starts */
  progress: { bytesRead: number; bytesPerSecond: number | null } | null
  /** deletes the file */
  remove: () => void
}
export type FailedPreview = Held & {
  status: 'failed'
  jobId: string | null
  failure: { code: string; message: string }
}
export type HeldPreview = ReadyPreview | ReadingPreview | FailedPreview

export type HeldPreviews = {
  /** Stores a finished analysis and returns it with its times. Errors: `queue_full` if others hold too much. */
  hold(preview: Omit<ReadyPreview, 'status' | 'createdAt' | 'expiresAt'>): ReadyPreview
  /** Stores an uploaded file for the job that will read it. From then on this object deletes the file. Errors: `queue_full`. */
  await(preview: Pick<ReadingPreview, 'id' | 'owner' | 'file' | 'path' | 'query' | 'remove'>): ReadingPreview
  /** Marks a preview as failed and deletes its file. */
  fail(id: string, failure: FailedPreview['failure']): void
  /** Removes a preview as if it had never existed, and deletes its file. */
  forget(id: string): void
  /**
   * Returns the owner's preview in this tenant. A ready preview then expires some minutes later, but not after its last hour. Errors: `not_found`.
   */
  get(owner: Owner, id: string): HeldPreview
  /** Returns the preview whose file a job of this tenant must read; undefined if this process does not have the file. */
  findReading(tenantId: string, id: string): ReadingPreview | undefined
}

const byStore = new WeakMap<Store['signals'], HeldPreviews>()

/**
 * Returns the previews of this process. They are in memory only, for some minutes after their last use, and each is visible only to the person who
 * created it.
 */
export function heldPreviewsOf(store: Store): HeldPreviews {
  const known = byStore.get(store.signals)
  if (known !== undefined) return known
  const made = createHeldPreviews(() => store.clock())
  byStore.set(store.signals, made)
  return made
}

/** Creates an empty set of previews. `heldPreviewsOf` returns that of this process. */
export function createHeldPreviews(now: () => Date): HeldPreviews {
  const previews = new Map<string, HeldPreview>()
  const forget = (id: string) => {
    const preview = previews.get(id)
    previews.delete(id)
    if (preview?.status === 'reading') preview.remove()
  }
  const forgetExpired = () => {
    for (const [id, { expiresAt }] of previews) if (expiresAt <= now()) forget(id)
  }
  const heldOf = (owner: Owner | null, isReading: boolean) =>
    [...previews.values()].filter(
      (preview) => (preview.status === 'reading') === isReading && (owner === null || isSame(owner, preview.owner)),
    )
  /** Removes the person's least recently used previews beyond their maximum number, but none that is still being read. */
  const makeRoomOfPerson = (owner: Owner) => {
    const held = heldOf(owner, false)
    for (const { id } of held.slice(0, Math.max(0, held.length - heldLimits.ofAPerson))) forget(id)
  }
  /**
   * Removes previews until the new one fits: first the least recently used ones of its owner, then those of the person who has the most. Returns
   * false if only previews of people who have no more than its owner could be removed: one person's files must not end those of others.
   */
  const makeRoomFor = (added: HeldPreview, { most, sizeOf, tie }: Room): boolean => {
    for (;;) {
      const held = heldOf(null, false)
      if (sum(held, sizeOf) <= most) return true
      const own = held.find(({ id, owner }) => id !== added.id && isSame(owner, added.owner))
      const victim = own ?? largestOther(held, added, { sizeOf, tie })
      if (victim === undefined) return false
      forget(victim.id)
    }
  }
  const times = (minutes: number) => {
    const createdAt = now()
    return { createdAt, expiresAt: new Date(createdAt.getTime() + minutes * MINUTE_MS) }
  }
  function put<Preview extends HeldPreview>(preview: Preview): Preview {
    forgetExpired()
    // Removes an older preview with the same id, so that the new one is the newest and gets its own expiry.
    forget(preview.id)
    previews.set(preview.id, preview)
    makeRoomOfPerson(preview.owner)
    if (!makeRoomFor(preview, ofNumber) || !makeRoomFor(preview, ofContent)) {
      forget(preview.id)
      // Names no number, because it would show one tenant how much the others have.
      throw new AppError('queue_full', 'The service holds other large files. Try again in some minutes.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    expireLater(preview)
    return preview
  }
  /** Removes a preview when it has expired, which its uses can postpone. */
  function expireLater(preview: HeldPreview): void {
    const left = Math.max(0, preview.expiresAt.getTime() - now().getTime())
    setTimeout(() => {
      if (previews.get(preview.id) !== preview) return
      if (preview.expiresAt <= now()) forget(preview.id)
      else expireLater(preview)
    }, left).unref()
  }
  /** Extends the time of a preview in use, and makes it the most recently used one. */
  function touch(preview: ReadyPreview): void {
    const last = preview.createdAt.getTime() + heldLimits.hoursAtMost * 60 * MINUTE_MS
    preview.expiresAt = new Date(Math.min(now().getTime() + heldLimits.minutes * MINUTE_MS, last))
    previews.delete(preview.id)
    previews.set(preview.id, preview)
  }
  return {
    hold: (preview) => put({ ...preview, ...times(heldLimits.minutes), status: 'ready' }),
    await(preview) {
      forgetExpired()
      const used = heldOf(preview.owner, true).length
      const retryAfterSeconds = RETRY_AFTER_SECONDS
      if (used >= heldLimits.readingOfAPerson)
        throw limitReached(readingOfPerson, {
          code: 'queue_full',
          used,
          max: heldLimits.readingOfAPerson,
          retryAfterSeconds,
        })
      // Names no number, because it would show one tenant how many files the others have.
      if (heldOf(null, true).length >= heldLimits.readingInAll)
        throw new AppError('queue_full', 'The service is reading other large files. Try again in a moment.', {
          retryAfterSeconds,
        })
      return put({
        ...preview,
        ...times(heldLimits.minutesWaiting),
        status: 'reading',
        jobId: null,
        progress: null,
      })
    },
    fail(id, failure) {
      const preview = previews.get(id)
      if (preview?.status !== 'reading') return
      const { owner, file, jobId } = preview
      put({ id, owner, file, jobId, failure, ...times(heldLimits.minutes), status: 'failed' })
    },
    forget,
    get(owner, id) {
      forgetExpired()
      const preview = previews.get(id)
      if (preview === undefined || !isSame(preview.owner, owner)) throw notFound()
      if (preview.status === 'ready') touch(preview)
      return preview
    },
    findReading(tenantId, id) {
      forgetExpired()
      const preview = previews.get(id)
      return preview?.status === 'reading' && preview.owner.tenantId === tenantId ? preview : undefined
    },
  }
}

function isSame(a: Owner, b: Owner): boolean {
  return a.tenantId === b.tenantId && a.userId === b.userId
}

/** A bound of all previews. `tie`: true if a preview may end for one whose owner has as much. */
type Room = { most: number; sizeOf: (preview: HeldPreview) => number; tie: boolean }

const ofNumber: Room = { most: heldLimits.inAll, sizeOf: () => 1, tie: true }
const ofContent: Room = {
  most: heldLimits.packedBytesInAll,
  sizeOf: (preview) => (preview.status === 'ready' ? preview.content.packedBytes : 0),
  tie: false,
}

const sum = (previews: readonly HeldPreview[], sizeOf: Room['sizeOf']) =>
  previews.reduce((total, preview) => total + sizeOf(preview), 0)

/** Returns the least recently used preview of the other person who has the most, if that is more than the owner of the new one has. */
function largestOther(
  held: readonly HeldPreview[],
  added: HeldPreview,
  { sizeOf, tie }: Omit<Room, 'most'>,
): HeldPreview | undefined {
  const totalOf = (owner: Owner) =>
    sum(
      held.filter((one) => isSame(one.owner, owner)),
      sizeOf,
    )
  const own = totalOf(added.owner)
  let found: { preview: HeldPreview; total: number } | undefined
  for (const preview of held) {
    if (isSame(preview.owner, added.owner) || sizeOf(preview) === 0) continue
    const total = totalOf(preview.owner)
    if ((total > own || (tie && total === own)) && total > (found?.total ?? 0)) found = { preview, total }
  }
  return found?.preview
}
