import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../lib/clock.ts'
import { every, type Loop } from '../../lib/every.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../database.ts'
import { createProcessMarks } from '../files/process-marks.ts'
import { LEASE_HOLDERS_FOLDER } from '../files/store-files.ts'
import type { LeaseTable } from '../store.table.ts'
import type { Write } from './write-scope.ts'

/** Duration of a lease. If a process can no longer reach the store, its leases expire and another process takes over its loops. */
const LEASE_MS = 60_000
/** Minimum interval between attempts to take a lease. */
const TRY_EVERY_MS = 5_000

export type Lease = {
  /** Takes the lease if it is free and then renews it until `release`. Returns false while another process has it. */
  hold(): Promise<boolean>
  /** false if the lease was not taken, was released, or could not be renewed in time */
  isHeld(): boolean
  /** releases the lease, so that another process does not wait for its expiry */
  release(): Promise<void>
}

export type Leases = {
  lease(name: string): Lease
  /** stops the renewal, for a store that closes; leases that were not released expire */
  close(): void
}

type LeaseOptions = {
  dataDir: string
  clock: Clock
  reader: Kysely<Database>
  write: Write
  leaseMs?: number
  tryEveryMs?: number
}

/**
 * Creates the leases of one process. Each lease has a name, and of all processes that have the store open only one has it. All leases of a process
 * are renewed in one write. A lease ends by `release`, at its expiry, or at once if the owner's process on this machine is dead. A lease avoids
 * double work but is no fence: a write that must not happen twice must be checked in its own transaction.
 */
export function createLeases(options: LeaseOptions): Leases {
  const { dataDir, clock, reader, write, leaseMs = LEASE_MS, tryEveryMs = TRY_EVERY_MS } = options
  const owner = newId()
  const marks = createProcessMarks(dataDir, LEASE_HOLDERS_FOLDER)
  /** end of each lease of this process, by the monotonic clock, which cannot be set back */
  const held = new Map<string, number>()
  let renewing: NodeJS.Timeout | undefined

  const isHeld = (name: string) => (held.get(name) ?? 0) > performance.now()
  const after = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString()

  function isFree(row: LeaseTable | undefined): boolean {
    if (row === undefined || row.owner === owner) return true
    const now = clock()
    // An expiry later than the maximum duration means that the clock was set back since. Without this check the lease would last longer.
    const isOver = row.expires_at <= now.toISOString() || row.expires_at > after(now, leaseMs)
    return isOver || marks.isAbandoned(row.owner)
  }

  const find = (db: Kysely<Database>, name: string) =>
    db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst()

  const ownsAny = async (db: Kysely<Database>, of: string) =>
    (await db.selectFrom('leases').select('name').where('owner', '=', of).limit(1).executeTakeFirst()) !== undefined

  async function take(name: string): Promise<boolean> {
    if (!isFree(await find(reader, name))) return false
    marks.hold(owner)
    const takenAt = performance.now()
    const isTaken = await write('upkeep', async (db) => {
      const row = await find(db, name)
      if (!isFree(row)) return { keep: false, value: false }
      const expires_at = after(clock(), leaseMs)
      await db
        .insertInto('leases')
        .values({ name, owner, expires_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ owner, expires_at }))
        .execute()
      // Deletes the mark of the dead owner with its last lease. Until then the mark proves for all of its leases that the owner is dead.
      if (row !== undefined && !(await ownsAny(db, row.owner))) marks.forget(row.owner)
      return { keep: true, value: true }
    })
    if (!isTaken) return false
    held.set(name, takenAt + leaseMs)
    renewing ??= setInterval(() => void renew().catch(() => {}), leaseMs / 3).unref()
    return true
  }

  /** Renews all leases of this process. A failed renewal is retried; a lease that is not renewed before its end is lost. */
  async function renew(): Promise<void> {
    const renewedAt = performance.now()
    const names = await write('upkeep', async (db) => {
      const rows = await db
        .updateTable('leases')
        .set({ expires_at: after(clock(), leaseMs) })
        .where('owner', '=', owner)
        .returning('name')
        .execute()
      return { keep: rows.length > 0, value: rows.map(({ name }) => name) }
    })
    for (const name of [...held.keys()]) {
      if (names.includes(name)) held.set(name, renewedAt + leaseMs)
      else held.delete(name)
    }
  }

  async function release(name: string): Promise<void> {
    if (!held.delete(name)) return
    if (held.size === 0) {
      clearInterval(renewing)
      renewing = undefined
    }
    await write('upkeep', async (db) => {
      await db.deleteFrom('leases').where('name', '=', name).where('owner', '=', owner).execute()
      return { keep: true, value: undefined }
    })
    if (held.size === 0) marks.release()
  }

  return {
    lease: (name) => {
      let triedAt = -tryEveryMs
      return {
        isHeld: () => isHeld(name),
        hold: async () => {
          if (isHeld(name)) return true
          if (performance.now() - triedAt < tryEveryMs) return false
          triedAt = performance.now()
          return take(name)
        },
        release: () => release(name),
      }
    },
    close: () => {
      clearInterval(renewing)
      marks.release()
    },
  }
}

/** Runs `work` every `ms`, but only in the process that has the lease of this name. Another process takes over when that process stops or dies. */
export function everyInOneProcess({ leases }: { leases: Leases }, { name, ms, work, log, failed }: OneLoop): Loop {
  const lease = leases.lease(name)
  const tickMs = Math.min(ms, TRY_EVERY_MS)
  let dueAt = 0
  const loop = every(
    tickMs,
    async (isStopped) => {
      if (performance.now() < dueAt || !(await lease.hold())) return
      // Half a tick is subtracted, so that a timer that fires early does not skip a run.
      dueAt = performance.now() + ms - tickMs / 2
      await work(() => isStopped() || !lease.isHeld())
    },
    { log, failed },
  )
  return {
    started: loop.started,
    stop: async () => {
      await loop.stop()
      await lease.release()
    },
  }
}

/** Runs `work` once. Does nothing if another process has the lease of this name. */
export async function inOneProcess(
  { leases }: { leases: Leases },
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const lease = leases.lease(name)
  if (!(await lease.hold())) return
  try {
    await work()
  } finally {
    await lease.release()
  }
}

export type OneLoop = {
  name: string
  ms: number
  work: (isStopped: () => boolean) => Promise<unknown>
  log: Pick<Logger, 'error'>
  failed: string
}
