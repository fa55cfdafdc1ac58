import { isDeepStrictEqual } from 'node:util'
import { mapValues } from '../../../lib/map-values.ts'
import type { Db } from '../../../store/database.ts'
import { type Business, familyOf, ownFacts, type StoredRecord } from '../../businesses/businesses.ts'
import { businessChildNames, businessChildren } from '../../facts.ts'
import { factsOf, type MergePlan } from './merge-plan.rules.ts'
import { keptOf, type MergeSnapshot, type RecordGraph, recordGraph } from './merge-snapshot.ts'
import type { Added, MergeCounts, ReadBack } from './merges.schema.ts'

/**
 * Reads both records again in the transaction of the change that wrote them, and compares them with the snapshot. Every child must be present,
 * unaltered and still with its original business; every source reference must be present; audit events may only have been added; the loser's own
 * record must be unchanged; no block may be lifted. Throws on any difference, which rolls the change back.
 */
export async function readBackMerge(
  db: Db,
  tenantId: string,
  snapshot: MergeSnapshot,
  plan: MergePlan,
): Promise<ReadBack> {
  const { survivorId, loserId, survivorFamily, loserFamily } = snapshot
  const family = await familyOf(db, tenantId, survivorId)
  const expected = [...survivorFamily, ...loserFamily]
  must(sameMembers(family, expected), 'the survivor does not stand for every record that it should')
  const now = new Map<string, RecordGraph>()
  for (const id of expected) now.set(id, await recordGraph(db, tenantId, id))
  for (const before of snapshot.records) {
    const { id } = before.business
    const after = required(now, id)
    mustKeepChildren(before, after, { exactly: true })
    const events = id === survivorId || id === loserId ? 1 : 0
    must(after.audit.count >= before.audit.count + events, `the audit of ${id} was not appended to`)
    if (id !== survivorId) mustBeAsBefore(before, after)
    must(after.business.do_not_contact >= before.business.do_not_contact, `a block of ${id} was lifted`)
    for (const entry of before.suppressions)
      must(required(now, survivorId).suppressions.includes(entry), `the suppression ${entry} did not survive`)
  }
  const survivor = required(now, survivorId)
  const loser = required(now, loserId)
  must(loser.business.status === 'merged' && loser.business.merged_into === survivorId, 'the loser is not linked')
  must(isDeepStrictEqual(factsOf(survivor), plan.after.columns), 'the survivor does not say what was decided')
  must(isDeepStrictEqual(survivor.identifiers, plan.after.identifiers), 'the survivor lost an identifier')
  must(survivor.business.do_not_contact >= loser.business.do_not_contact, 'the block did not survive')
  const counts = (ids: readonly string[]) => sumOf(ids.map((id) => required(now, id)))
  return {
    survivor: counts(survivorFamily),
    loser: counts(loserFamily),
    throughSurvivor: counts(family),
    leftOut: plan.leftOut,
    doNotContact: survivor.business.do_not_contact === 1,
  }
}

/** Requires that the children of the snapshot are unaltered and come first. Later children may follow them unless `exactly` is true. */
export function mustKeepChildren(before: RecordGraph, after: RecordGraph, { exactly }: { exactly: boolean }): void {
  const { id } = before.business
  for (const kind of businessChildNames) {
    const [was, is] = [keptOf(before, kind), keptOf(after, kind)]
    const begins = was.ids.every((child, at) => is.ids[at] === child)
    must(begins && (!exactly || is.count === was.count), `${kind} of ${id} are not those of the snapshot`)
    must(is.count > was.count || is.hash === was.hash, `${kind} of ${id} were altered`)
  }
  must(
    before.sources.ids.every((source, at) => after.sources.ids[at] === source),
    `source references of ${id} are not those of the snapshot`,
  )
  must(after.audit.count >= before.audit.count, `audit events of ${id} are missing`)
}

/** Requires that a record is unchanged except for the columns that merges, reversals and blocks write. */
export function mustBeAsBefore(before: StoredRecord, after: StoredRecord): void {
  const { id } = before.business
  must(isDeepStrictEqual(factsOf(after), factsOf(before)), `the record ${id} was changed`)
  must(isDeepStrictEqual(after.identifiers, before.identifiers), `identifiers of ${id} were changed`)
}

export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`Read back: ${otherwise}.`)
}

function required(graphs: ReadonlyMap<string, RecordGraph>, id: string): RecordGraph {
  const graph = graphs.get(id)
  if (graph === undefined) throw new Error(`Read back: the record ${id} is missing.`)
  return graph
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return isDeepStrictEqual([...a].sort(), [...b].sort())
}

function sumOf(graphs: readonly RecordGraph[]): MergeCounts {
  const sum = (of: (graph: RecordGraph) => number) => graphs.reduce((total, graph) => total + of(graph), 0)
  return {
    ...mapValues(businessChildren, (_facts, kind) => sum((graph) => keptOf(graph, kind).count)),
    sources: sum(({ sources }) => sources.count),
    audit: sum(({ audit }) => audit.count),
  }
}

/** Counts the children added to a record since its snapshot. */
export function addedSince(before: RecordGraph, now: MergeCounts): Added {
  return mapValues(businessChildren, (_facts, kind) => now[kind] - keptOf(before, kind).count)
}

const facts = [
  'name',
  ...ownFacts,
  'emails',
  'phones',
  'domains',
  'address',
  'tags',
  'assignee',
  'pipelineState',
  'stateBeforePause',
] as const satisfies readonly (keyof Business)[]

/** Returns the values of all facts that changed, before and after, by their names in the audit. */
export function auditedFacts(before: Business, after: Business) {
  const changed = facts.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (business: Business) => Object.fromEntries(changed.map((name) => [name, business[name]]))
  return { before: pick(before), after: pick(after) }
}
