import { type Cursors, type Page, toPage, totalFrom } from '../../../http/pagination.ts'
import { actorRef, type UserActor } from '../../../lib/actor.ts'
import { daysAfter } from '../../../lib/clock.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import { namesOfMembers } from '../../identity/identity.ts'
import { findTransition, selectCounted, selectTransitionsOfMany, toCircuit } from '../circuit/circuit.queries.ts'
import { successesOf } from '../circuit/circuit.rules.ts'
import { type ListSources, limits, type Source } from '../sources.schema.ts'
import { type Desk, desks, type SourceCircuitTable } from '../sources.table.ts'
import { validApproval } from './decide.ts'
import { countSources, desksOf, type SourceRow, selectSources } from './registry.queries.ts'
import { type AdapterSource, contractOf, getSourceRow, readSourceState, readSourceStates } from './source-state.ts'
import { approvalProblem } from './status.rules.ts'

type Reading = { store: Store; adapters: LoadedAdapters; actor: UserActor }

/** Returns one source with its current status. Errors: `not_found`. */
export async function getSource({ store, adapters, actor }: Reading, sourceId: string): Promise<Source> {
  const { tenantId } = actor
  const db = store.reader
  const row = await getSourceRow(db, tenantId, sourceId)
  const view = { db, tenantId, at: store.clock().toISOString(), adapters }
  const source = await readSourceState(view, row)
  const circuit = await findTransition(db, { tenantId, sourceId })
  return (await toSources({ store, adapters, actor }, [{ row, source, circuit }]))[0] as Source
}

/** Number of sources per batch while filtering by status. */
const LOOKED_AT = 200

/**
 * Lists the tenant's sources in the order of short names. The status is computed, so a filter by status evaluates sources in batches until the page
 * is full. A tenant has at most `limits.sources` of them.
 */
export async function listSources(
  reading: Reading,
  cursors: Cursors,
  { limit, cursor, ...filter }: ListSources,
): Promise<Page<Source>> {
  const { store, adapters, actor } = reading
  const { tenantId } = actor
  const db = store.reader
  const binding = ['sources', tenantId, filter]
  const position = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  // With a filter all sources are evaluated, because the total needs the status of each.
  const isBefore = ({ slug, id }: Pick<Source, 'slug' | 'id'>) =>
    position !== undefined &&
    (slug < String(position[0]) || (slug === String(position[0]) && id <= String(position[1])))
  let after: [string, string] | undefined =
    position === undefined || isFiltered ? undefined : [String(position[0]), String(position[1])]
  const portion = isFiltered ? LOOKED_AT : limit + 1
  const at = store.clock().toISOString()
  const found: Source[] = []
  for (let looked = 0; looked <= limits.sources && (isFiltered || found.length <= limit); looked += portion) {
    const rows = await selectSources(db, { tenantId, after, limit: portion })
    const states = new Map(
      (await readSourceStates({ db, tenantId, at, adapters }, rows)).map((source) => [source.row.id, source]),
    )
    const circuits = await selectTransitionsOfMany(
      db,
      tenantId,
      rows.map(({ id }) => id),
    )
    const parts = rows.map((row) => ({ row, source: states.get(row.id), circuit: circuits.get(row.id) }))
    found.push(...(await toSources(reading, parts)).filter((source) => isWanted(source, filter, at)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < portion) break
    after = [last.slug, last.id]
  }
  const left = isFiltered ? found.filter((source) => !isBefore(source)) : found
  return toPage({
    rows: left.slice(0, limit + 1),
    limit,
    total: totalFrom(isFiltered ? found.length : await countSources(db, tenantId), at),
    toItem: (source) => source,
    cursorAfter: ({ slug, id }) => cursors.encode(binding, [slug, id]),
  })
}

function isWanted(
  source: Source,
  { status, waitingForMe, endsWithinDays }: Omit<ListSources, 'limit' | 'cursor'>,
  at: string,
): boolean {
  if (status !== undefined && source.status !== status) return false
  if (waitingForMe !== undefined && source.waitsForMe !== waitingForMe) return false
  return endsWithinDays === undefined || endsSoon(source, at, Number(endsWithinDays))
}

/** True if an approval, the enablement or the review of the terms ends within this number of days. */
function endsSoon({ status, approvals, enabledUntil, contract }: Source, at: string, days: number): boolean {
  if (status === 'withdrawn' || status === 'rejected') return false
  const latest = daysAfter(at, days)
  const ends = [...approvals.map(({ endsAt }) => endsAt), enabledUntil, contract.terms?.reviewDueOn ?? null]
  return ends.some((end) => end !== null && end >= at.slice(0, 10) && end <= latest)
}

type Part = { row: SourceRow; source: AdapterSource | undefined; circuit: SourceCircuitTable | undefined }

async function toSources({ store, actor }: Reading, parts: readonly Part[]): Promise<Source[]> {
  const own = new Set(await desksOf(store.reader, actor.tenantId, actor.userId))
  const ids = parts.flatMap(({ row, source }) => [
    row.created_by,
    ...(source?.decisions ?? []).filter(({ kind }) => kind === 'approval').map((one) => one.actor),
  ])
  const names = await namesOfMembers(store.reader, actor.tenantId, ids)
  const shown: Source[] = []
  for (const part of parts) shown.push(await toSource(store, actor, part, own, names))
  return shown
}

async function toSource(
  store: Store,
  actor: UserActor,
  { row, source, circuit }: Part,
  own: ReadonlySet<Desk>,
  names: ReadonlyMap<string, string>,
): Promise<Source> {
  const contract = source?.contract ?? contractOf(row)
  const key = { tenantId: row.tenant_id, sourceId: row.id }
  const needed = contract.circuit?.closeAfterSuccesses ?? null
  const recent = circuit?.state === 'probation' ? await selectCounted(store.reader, key, circuit.id, needed ?? 1) : []
  const nameOf = (id: string) => names.get(id) ?? null
  return {
    id: row.id,
    version: row.version,
    slug: row.slug,
    name: row.name,
    description: row.description,
    kind: row.kind,
    adapter: source === undefined ? null : { ...source.adapter, isLoaded: source.present.adapter === 'loaded' },
    contractVersion: row.contract_version,
    fingerprint: source?.present.fingerprint ?? '',
    contract,
    author: actorRef(row.author, row.author_name),
    // A built-in source makes no requests. It counts as enabled and has no open items.
    status: source?.state.status ?? 'enabled',
    openItems: source?.state.openItems ?? [],
    approvals:
      source === undefined
        ? []
        : desks.flatMap((desk) => {
            const approval = validApproval(source, desk)
            if (approval === undefined) return []
            const { id: decisionId, at, endsAt, actor: by } = approval
            return [{ desk, decisionId, by: actorRef(by, nameOf(by)), at, endsAt }]
          }),
    enablementId: source === undefined ? null : enablementIdOf(source),
    enabledUntil: source?.state.enabledUntil ?? null,
    circuit: toCircuit(circuit, { successes: successesOf(recent), needed }),
    waitsForMe: source !== undefined && waitsFor(source, actor, own),
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, nameOf(row.created_by)),
    updatedAt: row.updated_at,
  }
}

function enablementIdOf({ state, decisions }: AdapterSource): string | null {
  if (state.status !== 'enabled') return null
  return decisions.findLast(({ kind }) => kind === 'enablement')?.id ?? null
}

/** True if this person can take the next step towards enabling the source. */
function waitsFor(source: AdapterSource, actor: UserActor, own: ReadonlySet<Desk>): boolean {
  const { status, openItems } = source.state
  if (status === 'withdrawn' || status === 'enabled') return false
  const isAuthor = source.row.author === actor.userId
  const { permissions } = actor
  const forAuthor = openItems.filter(({ responsible }) => responsible === 'author')
  if (status === 'rejected' || forAuthor.length > 0) return isAuthor && permissions.has('sources.propose')
  if (isAuthor) return false
  const waiting = desks.filter((desk) => openItems.some(({ item }) => item === `approval.${desk}`))
  if (waiting.length === 0) return source.present.adapter === 'loaded' && permissions.has('sources.enable')
  if (!permissions.has('sources.approve') || source.present.adapter !== 'loaded') return false
  const hasApproved = source.decisions.some(
    (one) =>
      one.kind === 'approval' &&
      one.actor === actor.userId &&
      approvalProblem(one, source.decisions, source.present) === undefined,
  )
  return !hasApproved && waiting.some((desk) => own.has(desk))
}
