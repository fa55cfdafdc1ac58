import type { Db } from '../../store/database.ts'
import { type LastWholeRound, selectLastWholeRounds, selectRegistrations } from './registry.queries.ts'
import { isRoundDue, registrationStatus } from './registry.rules.ts'
import type { Registration } from './registry.schema.ts'

/** The registry rounds and registrations of all tenants, for the probe and the metrics. */
export type WatchedRegistry = {
  /** the last round of each tenant that closed one */
  rounds: { tenantId: string; closedAt: string; isDue: boolean }[]
  /** the registration of each tenant that entered one */
  registrations: { tenantId: string; status: Registration['status']; validUntil: string | null }[]
}

export async function watchRegistry(db: Db, now: string): Promise<WatchedRegistry> {
  const rounds = (await selectLastWholeRounds(db)).map((round) => ({
    tenantId: round.tenantId,
    closedAt: round.closed_at,
    isDue: isDueAt(round, now),
  }))
  const registrations = (await selectRegistrations(db)).flatMap(({ tenant_id: tenantId, number, valid_until }) =>
    number === null
      ? []
      : [{ tenantId, status: registrationStatus({ number, validUntil: valid_until }, now), validUntil: valid_until }],
  )
  return { rounds, registrations }
}

function isDueAt({ closed_at: cleanedAt, begun_at: readAt }: LastWholeRound, now: string): boolean {
  return isRoundDue({ cleanedAt, readAt }, now)
}
