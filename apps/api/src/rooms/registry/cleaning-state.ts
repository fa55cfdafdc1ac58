import { MAX_COUNTED } from '../../http/pagination.ts'
import { daysAfter } from '../../lib/clock.ts'
import type { Db } from '../../store/database.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import type { Store } from '../../store/store.ts'
import { familyOf, getBusiness } from '../businesses/businesses.ts'
import { getRegistration } from './registration.ts'
import { findOpenRound, selectClosedRounds } from './registry.queries.ts'
import { isRoundDue } from './registry.rules.ts'
import {
  limits,
  type RegistryKind,
  type RegistryState,
  readKinds,
  readStates,
  registryKinds,
} from './registry.schema.ts'
import type { RegistryRoundTable } from './registry.table.ts'
import { addedAfter, hasChangedValues } from './values.queries.ts'

/** Closed rounds among which the last one of a kind is found. A round of one kind or of some pipeline states can precede it. */
const ROUNDS_READ = 24

type Closed = RegistryRoundTable & { closed_at: string; begun_at: string; begun_id: string; begun_sequence: number }

const isClosed = (row: RegistryRoundTable): row is Closed =>
  row.closed_at !== null && row.begun_at !== null && row.begun_id !== null && row.begun_sequence !== null

/** Returns the last closed rounds of all pipeline states, newest first. A prospect moves between states, so a round of some of them proves nothing. */
async function wholeRounds(db: Db, tenantId: string): Promise<Closed[]> {
  const rounds = (await selectClosedRounds(db, tenantId, ROUNDS_READ)).filter(isClosed)
  return rounds.filter(({ states }) => readStates(states).length === 0)
}

type LastCleaning = { roundId: string; cleanedAt: string; readAt: string; kinds: RegistryKind[]; begunId: string }

/** Returns the last closed round of all pipeline states; undefined if there is none. */
async function findLastCleaning(db: Db, tenantId: string): Promise<LastCleaning | undefined> {
  const [row] = await wholeRounds(db, tenantId)
  if (row === undefined) return undefined
  const { id: roundId, closed_at: cleanedAt, begun_at: readAt, kinds, begun_id: begunId } = row
  return { roundId, cleanedAt, readAt, kinds: readKinds(kinds), begunId }
}

/** Returns whether the workspace was compared with the registry, until when that is recent enough, and how many prospects were added since. */
export async function getRegistryState(store: Store, tenantId: string): Promise<RegistryState> {
  const now = store.clock().toISOString()
  const { reader } = store
  const last = await findLastCleaning(reader, tenantId)
  const open = await findOpenRound(reader, tenantId)
  const added = addedAfter(store.backgroundOf(tenantId), tenantId, last?.begunId)
  const unchecked = await countUpTo(store.backgroundOf(tenantId), added, MAX_COUNTED)
  const { status, validUntil } = await getRegistration(reader, tenantId, now)
  return {
    cleanedAt: last?.cleanedAt ?? null,
    roundId: last?.roundId ?? null,
    kinds: last?.kinds ?? [],
    dueAt: last === undefined ? null : daysAfter(last.readAt, limits.days),
    isDue: isRoundDue(last, now),
    unchecked: Math.min(unchecked, MAX_COUNTED),
    isUncheckedWhole: unchecked <= MAX_COUNTED,
    openRound: open === undefined ? null : { id: open.id, state: open.state },
    registration: { status, validUntil },
  }
}

/** Age of the last registry round that compared one kind of values of a prospect. */
export type RegistryStanding = {
  /** end of the last round of all pipeline states with this kind of value; null if there is none */
  cleanedAt: string | null
  /** end of the given days, counted from the time at which the values of that round were read */
  dueAt: string | null
  isDue: boolean
  /** false: the prospect, or a value of this kind, was added since that round */
  isChecked: boolean
}

/** Returns the standing of the values of a kind of one prospect. `family`: the prospect and all records merged into it. */
export async function findRegistryStanding(
  db: Db,
  {
    tenantId,
    businessId,
    family,
    kind,
    now,
    days = limits.days,
  }: {
    tenantId: string
    businessId: string
    family: readonly string[]
    kind: RegistryKind
    now: string
    days?: number
  },
): Promise<RegistryStanding> {
  const round = (await wholeRounds(db, tenantId)).find(({ kinds }) => readKinds(kinds).includes(kind))
  if (round === undefined) return { cleanedAt: null, dueAt: null, isDue: true, isChecked: false }
  const { closed_at: cleanedAt, begun_at: readAt, begun_sequence: after } = round
  const isChecked = businessId <= round.begun_id && !(await hasChangedValues(db, { tenantId, family, kind, after }))
  return { cleanedAt, dueAt: daysAfter(readAt, days), isDue: isRoundDue({ cleanedAt, readAt }, now, days), isChecked }
}

/** Returns whether the values of one prospect were compared with the registry. Errors: `not_found`. */
export async function getBusinessCheck(store: Store, tenantId: string, businessId: string) {
  const { reader } = store
  await getBusiness(reader, tenantId, businessId)
  const family = await familyOf(reader, tenantId, businessId)
  const now = store.clock().toISOString()
  const standings: (RegistryStanding & { kind: RegistryKind })[] = []
  for (const kind of registryKinds)
    standings.push({ kind, ...(await findRegistryStanding(reader, { tenantId, businessId, family, kind, now })) })
  const [oldest = null] = standings
    .map(({ cleanedAt }) => cleanedAt)
    .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return {
    status: standings.every(({ isChecked }) => isChecked) ? ('checked' as const) : ('not_checked' as const),
    cleanedAt: oldest,
    isDue: standings.some(({ isDue }) => isDue),
    kinds: standings.map(({ kind, isChecked }) => ({ kind, isChecked })),
  }
}
