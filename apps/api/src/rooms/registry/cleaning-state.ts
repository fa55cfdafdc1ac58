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

type Closed = RegistryRoundTable & { closed_at: string; begun_id: string; begun_sequence: number }

const isClosed = (row: RegistryRoundTable): row is Closed =>
  row.closed_at !== null && row.begun_id !== null && row.begun_sequence !== null

async function closedRounds(db: Db, tenantId: string): Promise<Closed[]> {
  return (await selectClosedRounds(db, tenantId, ROUNDS_READ)).filter(isClosed)
}

type LastCleaning = { roundId: string; cleanedAt: string; kinds: RegistryKind[]; begunId: string }

/** Returns the last closed round of all pipeline states; undefined if there is none. */
async function findLastCleaning(db: Db, tenantId: string): Promise<LastCleaning | undefined> {
  const row = (await closedRounds(db, tenantId)).find(({ states }) => readStates(states).length === 0)
  if (row === undefined) return undefined
  return { roundId: row.id, cleanedAt: row.closed_at, kinds: readKinds(row.kinds), begunId: row.begun_id }
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
    dueAt: last === undefined ? null : daysAfter(last.cleanedAt, limits.days),
    isDue: isRoundDue(last, now),
    unchecked: Math.min(unchecked, MAX_COUNTED),
    isUncheckedWhole: unchecked <= MAX_COUNTED,
    openRound: open === undefined ? null : { id: open.id, state: open.state },
    registration: { status, validUntil },
  }
}

/** How recent the last comparison of a prospect's values of a kind is. */
type Standing = {
  /** end of the last round with this kind of value and the state of the prospect; null if there is none */
  cleanedAt: string | null
  /** false: the prospect, or a value of this kind, was added since that round */
  isChecked: boolean
}

/** Returns the standing of the values of a kind of one prospect. `family`: the prospect and all records merged into it. */
async function findStanding(
  db: Db,
  {
    tenantId,
    businessId,
    family,
    pipelineState,
    kind,
  }: { tenantId: string; businessId: string; family: readonly string[]; pipelineState: string; kind: RegistryKind },
): Promise<Standing> {
  const round = (await closedRounds(db, tenantId)).find((row) => {
    const states: readonly string[] = readStates(row.states)
    return readKinds(row.kinds).includes(kind) && (states.length === 0 || states.includes(pipelineState))
  })
  if (round === undefined) return { cleanedAt: null, isChecked: false }
  const changed = { tenantId, family, kind, after: round.begun_sequence }
  const isChecked = businessId <= round.begun_id && !(await hasChangedValues(db, changed))
  return { cleanedAt: round.closed_at, isChecked }
}

/** Returns whether the values of one prospect were compared with the registry. Errors: `not_found`. */
export async function getBusinessCheck(store: Store, tenantId: string, businessId: string) {
  const { reader } = store
  const { pipelineState } = await getBusiness(reader, tenantId, businessId)
  const family = await familyOf(reader, tenantId, businessId)
  const standings: (Standing & { kind: RegistryKind })[] = []
  for (const kind of registryKinds)
    standings.push({ kind, ...(await findStanding(reader, { tenantId, businessId, family, pipelineState, kind })) })
  const now = store.clock().toISOString()
  const [oldest = null] = standings
    .map(({ cleanedAt }) => cleanedAt)
    .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return {
    status: standings.every(({ isChecked }) => isChecked) ? ('checked' as const) : ('not_checked' as const),
    cleanedAt: oldest,
    isDue: isRoundDue(oldest === null ? undefined : { cleanedAt: oldest }, now),
    kinds: standings.map(({ kind, isChecked }) => ({ kind, isChecked })),
  }
}
