import type { Db } from '../../../store/database.ts'
import type { Content } from '../rules/content.ts'
import { findSignal } from '../signals/all-signals.ts'
import { assembleRecord, type RecordRows } from './assemble-record.ts'
import {
  allDuplicates,
  allMerges,
  type BusinessRow,
  businessesAfter,
  type Children,
  childrenInRange,
  childrenOf,
  type Needs,
  someBusinesses,
  someDuplicates,
  someMembers,
} from './record-rows.queries.ts'
import type { ScoringRecord } from './scoring-record.ts'

/** Records per batch when a whole tenant is read. A batch takes some milliseconds. */
const RECORDS_AT_ONCE = 2_000

/** Returns which related rows (identifiers, evidence, interactions, duplicates) the rules of these contents read. */
export function needsOf(...contents: readonly Content[]): Needs {
  const needs: Needs = { identifiers: false, evidence: false, interactions: false, duplicates: false }
  for (const { groups, gates, tieBreak } of contents) {
    if (tieBreak === 'newest_evidence') Object.assign(needs, { evidence: true, identifiers: true })
    for (const { signal: key } of [...groups.flatMap(({ rules }) => rules), ...gates]) {
      const signal = findSignal(key)
      if (signal?.field !== undefined || signal?.reads === 'evidence')
        Object.assign(needs, { evidence: true, identifiers: true })
      if (signal?.reads === 'interactions') needs.interactions = true
      if (signal?.reads === 'duplicates') needs.duplicates = true
    }
  }
  return needs
}

/** Returns the active records among the given ones. Unreadable records are omitted and passed to `onFailure`. */
export async function readRecords(
  db: Db,
  tenantId: string,
  ids: readonly string[],
  needs: Needs,
  onFailure: (id: string, error: unknown) => void,
): Promise<ScoringRecord[]> {
  const some = { tenantId, ids: JSON.stringify(ids) }
  const businesses = await someBusinesses(db, some)
  const children = await childrenOf(db, some, needs)
  const members = needs.evidence || needs.interactions ? await someMembers(db, some) : []
  const ofMembers = await childrenOfMembers(
    db,
    tenantId,
    new Map(members.map(({ id, root }) => [id, root])),
    needs,
    new Set(members.flatMap(({ id, is_blocked }) => (is_blocked === 1 ? [id] : []))),
  )
  const duplicates = new Map(
    (needs.duplicates ? await someDuplicates(db, some) : []).map(({ business_id, strong }) => [business_id, strong]),
  )
  return [...assemble(businesses, children, ofMembers, duplicates, onFailure)]
}

/**
 * Yields all active records of a tenant in the order of ids, from one snapshot; call it inside a read transaction. `onFailure` receives each
 * unreadable record.
 */
export async function* streamRecords(
  db: Db,
  tenantId: string,
  needs: Needs,
  onFailure: (id: string, error: unknown) => void,
): AsyncGenerator<ScoringRecord[]> {
  const roots = rootsOf(needs.evidence || needs.interactions ? await allMerges(db, { tenantId }) : [])
  const duplicates = new Map(
    (needs.duplicates ? await allDuplicates(db, { tenantId }) : []).map(({ business_id, strong }) => [
      business_id,
      strong,
    ]),
  )
  let after = ''
  for (;;) {
    const businesses = await businessesAfter(db, { tenantId, after, limit: RECORDS_AT_ONCE })
    const to = businesses.at(-1)?.id
    if (to === undefined) return
    const children = await childrenInRange(db, { tenantId, after, to }, needs)
    const members = new Map<string, string>()
    if (roots.size > 0)
      for (const { id: root } of businesses) for (const member of roots.get(root) ?? []) members.set(member, root)
    const ofMembers = await childrenOfMembers(db, tenantId, members, needs)
    yield [...assemble(businesses, children, ofMembers, duplicates, onFailure)]
    after = to
  }
}

/** Maps each survivor to all records merged into it, directly or indirectly. */
function rootsOf(merges: readonly { id: string; into: string }[]): Map<string, string[]> {
  const into = new Map(merges.map((merge) => [merge.id, merge.into]))
  const members = new Map<string, string[]>()
  for (const { id } of merges) {
    let root = id
    for (let steps = 0; steps <= into.size; steps++) {
      const next = into.get(root)
      if (next === undefined) break
      root = next
    }
    const known = members.get(root)
    if (known === undefined) members.set(root, [id])
    else known.push(id)
  }
  return members
}

type OfMembers = Pick<Children, 'claims' | 'interactions'>

/** Returns evidence and interactions of merged records, attributed to their survivor. */
async function childrenOfMembers(
  db: Db,
  tenantId: string,
  rootByMember: ReadonlyMap<string, string>,
  needs: Needs,
  blocked: ReadonlySet<string> = new Set(),
): Promise<OfMembers> {
  if (rootByMember.size === 0) return { claims: [], interactions: [] }
  const some = { tenantId, ids: JSON.stringify([...rootByMember.keys()]) }
  const { claims, interactions } = await childrenOf(db, some, { ...needs, identifiers: false, duplicates: false })
  const toRoot = <Row extends { business_id: string }>(row: Row): Row => ({
    ...row,
    business_id: rootByMember.get(row.business_id) ?? row.business_id,
  })
  const marked = claims.map((claim) =>
    blocked.has(claim.business_id) ? { ...claim, is_of_blocked: 1 as const } : claim,
  )
  return { claims: marked.map(toRoot), interactions: interactions.map(toRoot) }
}

function* assemble(
  businesses: readonly BusinessRow[],
  children: Children,
  ofMembers: OfMembers,
  duplicates: ReadonlyMap<string, number>,
  onFailure: (id: string, error: unknown) => void,
): Generator<ScoringRecord> {
  const identifiers = byBusiness(children.identifiers)
  const claims = byBusiness(children.claims)
  const interactions = byBusiness(children.interactions)
  const moreClaims = Map.groupBy(ofMembers.claims, ({ business_id }) => business_id)
  const moreInteractions = Map.groupBy(ofMembers.interactions, ({ business_id }) => business_id)
  for (const business of businesses) {
    const { id } = business
    const rows: RecordRows = {
      business,
      identifiers: identifiers(id),
      claims: joined(claims(id), moreClaims.get(id), newestClaimFirst),
      interactions: joined(interactions(id), moreInteractions.get(id), newestInteractionFirst),
      strongDuplicates: duplicates.get(id) ?? 0,
    }
    try {
      yield assembleRecord(rows)
    } catch (error) {
      onFailure(id, error)
    }
  }
}

/** Returns a function that returns the rows of one business. Rows and calls must be in ascending order of business ids. */
function byBusiness<Row extends { business_id: string }>(rows: readonly Row[]): (id: string) => readonly Row[] {
  let at = 0
  return (id) => {
    let row = rows[at]
    while (row !== undefined && row.business_id < id) row = rows[++at]
    const from = at
    while (row?.business_id === id) row = rows[++at]
    return from === at ? none : rows.slice(from, at)
  }
}

const none: readonly never[] = []

function joined<Row>(
  own: readonly Row[],
  more: readonly Row[] | undefined,
  order: (a: Row, b: Row) => number,
): readonly Row[] {
  return more === undefined ? own : [...own, ...more].sort(order)
}

function newestClaimFirst(a: { field: string; id: string }, b: { field: string; id: string }): number {
  if (a.field !== b.field) return a.field < b.field ? -1 : 1
  return a.id < b.id ? 1 : -1
}

function newestInteractionFirst(a: { occurred_at: string }, b: { occurred_at: string }): number {
  return a.occurred_at < b.occurred_at ? 1 : -1
}
