import { notFound } from '../../../lib/app-error.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Db } from '../../../store/database.ts'
import { getTenant } from '../../identity/identity.ts'
import { MANUAL_SOURCE_ID } from '../sources.table.ts'
import { mismatchesOf } from './adapter-fit.rules.ts'
import {
  type AdapterRef,
  adapterState,
  type Contract,
  parseContract,
  retentionDays,
  versionFingerprint,
} from './contract.rules.ts'
import {
  type DecisionRow,
  findSource,
  type Membership,
  membershipsOf,
  newestEventTime,
  restoredAt,
  type SourceRow,
  selectDecisions,
  selectDecisionsOfMany,
} from './registry.queries.ts'
import { type Decision, type Present, readLapsedItems, type SourceState, sourceStateOf } from './status.rules.ts'

/** The inputs that all reads of sources share: a connection, the tenant, the time, and the loaded adapters. */
export type RegistryView = { db: Db; tenantId: string; at: string; adapters: LoadedAdapters }

/** A source that makes requests, with all inputs of its status. */
export type AdapterSource = {
  row: SourceRow
  adapter: AdapterRef
  contract: Contract
  decisions: readonly Decision[]
  present: Present
  state: SourceState
}

/** Inputs that are read once for several sources of the tenant. `owners`: the memberships of the owners of their terms. */
type Moment = {
  now: string
  restored: number
  timeZone: string
  owners: ReadonlyMap<string, Membership>
  adapters: LoadedAdapters
}

async function momentOf({ db, tenantId, at, adapters }: RegistryView, rows: readonly SourceRow[]): Promise<Moment> {
  const newest = (await newestEventTime(db, tenantId)) ?? at
  const { timeZone } = await getTenant(db, tenantId)
  const owners = rows.flatMap((row) => (adapterOf(row) === null ? [] : (contractOf(row).terms?.ownerId ?? [])))
  return {
    now: newest > at ? newest : at,
    restored: await restoredAt(db, tenantId),
    timeZone,
    owners: await membershipsOf(db, tenantId, [...new Set(owners)]),
    adapters,
  }
}

/** Returns the row of a source. Errors: `not_found`. */
export async function getSourceRow(db: Db, tenantId: string, id: string): Promise<SourceRow> {
  const row = await findSource(db, { tenantId, id })
  if (row === undefined) throw notFound()
  return row
}

/** Returns the number of days for which raw text of references entered by hand is stored; null if it is not stored. */
export async function manualRetentionDays(db: Db, tenantId: string): Promise<number | null> {
  const { rawRetention = 'none' } = contractOf(await getSourceRow(db, tenantId, MANUAL_SOURCE_ID))
  return retentionDays[rawRetention]
}

export function adapterOf({ adapter_id: id, adapter_version: version }: SourceRow): AdapterRef | null {
  return id === null || version === null ? null : { id, version }
}

/** Cache of parsed contracts by their text. A version never changes, and every request reads one. */
const parsed = new Map<string, Contract>()
const MAX_PARSED = 2_000

export function contractOf({ contract: text }: Pick<SourceRow, 'contract'>): Contract {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const contract = parseContract(text)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(text, contract)
  return contract
}

/** Returns a source with its current status; undefined for a built-in source, which has no status. */
export async function readSourceState(view: RegistryView, row: SourceRow): Promise<AdapterSource | undefined> {
  const adapter = adapterOf(row)
  if (adapter === null) return undefined
  const decisions = await selectDecisions(view.db, row)
  return stateFrom(await momentOf(view, [row]), { row, adapter, decisions })
}

/** Returns many sources with their current status, in the given order. Built-in sources are omitted. */
export async function readSourceStates(view: RegistryView, rows: readonly SourceRow[]): Promise<AdapterSource[]> {
  const decisions = await selectDecisionsOfMany(view.db, view.tenantId, rows)
  const moment = await momentOf(view, rows)
  return rows.flatMap((row) => {
    const adapter = adapterOf(row)
    return adapter === null ? [] : [stateFrom(moment, { row, adapter, decisions: decisions.get(row.id) ?? [] })]
  })
}

type Known = { adapter: AdapterRef; adapters: LoadedAdapters; fingerprint: string }
const fingerprints = new WeakMap<Contract, Known>()

/** Returns the fingerprint of a contract. It is cached with the adapter for which it was computed, because adapters rarely change. */
function knownFingerprint(contract: Contract, adapter: AdapterRef, adapters: LoadedAdapters): string {
  const known = fingerprints.get(contract)
  const isSame =
    known?.adapters === adapters && known.adapter.id === adapter.id && known.adapter.version === adapter.version
  if (known !== undefined && isSame) return known.fingerprint
  const fingerprint = versionFingerprint(contract, adapter, adapters)
  fingerprints.set(contract, { adapter, adapters, fingerprint })
  return fingerprint
}

function stateFrom(
  { now, restored, timeZone, owners, adapters }: Moment,
  { row, adapter, decisions: rows }: { row: SourceRow; adapter: AdapterRef; decisions: readonly DecisionRow[] },
): AdapterSource {
  const contract = contractOf(row)
  const decisions = rows.map(toDecision)
  const owner = owners.get(contract.terms?.ownerId ?? '')
  const present: Present = {
    now,
    restored,
    timeZone,
    fingerprint: knownFingerprint(contract, adapter, adapters),
    adapter: adapterState(adapter, adapters),
    mismatches: mismatchesOf(adapter, adapters, contract),
    isOwnerMember: owner?.isMember ?? false,
    ownerLeft: owner?.left ?? 0,
  }
  const version = { contract, createdAt: row.version_at, author: row.author }
  return { row, adapter, contract, decisions, present, state: sourceStateOf(version, decisions, present) }
}

function toDecision(row: DecisionRow): Decision {
  const { id, sequence, at, actor, kind, desk, fingerprint, ends_at: endsAt, revokes_id: revokesId, items } = row
  const common = { id, sequence, at, actor }
  switch (kind) {
    case 'approval':
      if (desk !== null && endsAt !== null) return { ...common, kind, desk, fingerprint, endsAt }
      break
    case 'enablement':
      if (endsAt !== null) return { ...common, kind, fingerprint, endsAt }
      break
    case 'rejection':
      if (desk !== null) return { ...common, kind, desk }
      break
    case 'revocation':
      if (revokesId !== null) return { ...common, kind, revokesId }
      break
    case 'lapse':
      return { ...common, kind, items: readLapsedItems(items ?? '[]') }
    case 'disablement':
    case 'withdrawal':
      return { ...common, kind }
  }
  throw new Error(`The decision ${id} of kind ${kind} is incomplete.`)
}
