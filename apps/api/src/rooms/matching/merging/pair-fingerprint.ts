import { keysOf } from '../../../lib/keys-of.ts'
import { mapValues } from '../../../lib/map-values.ts'
import { changedParts, fingerprintOfParts } from '../../../lib/seen.ts'
import type { Db } from '../../../store/database.ts'
import { type Business, familyOf } from '../../businesses/businesses.ts'
import { type BusinessChild, businessChildNames, businessChildren } from '../../facts.ts'
import { readFindings } from '../matching.schema.ts'
import type { MatchSuggestionTable } from '../matching.table.ts'
import { bandOf } from '../rules/exact-arithmetic.rules.ts'
import { suppressionsOf } from './merge-snapshot.ts'

const reviewedChildren = businessChildNames.filter((kind) => !('derived' in businessChildren[kind]))

/** The parts of a record that have their own hash, each with the words that follow the record's name if that part changed. */
const parts = {
  record: 'was edited or moved',
  doNotContact: 'was marked do not contact, or the reason of the mark changed',
  suppressions: 'matches other entries of the do-not-contact list than before',
  merges: 'was merged with another record, or a merge was undone',
  ...mapValues(businessChildren, ({ changed }) => changed),
}

/** Score and findings of a pair as stored by its last comparison. */
export type ScoredPair = Pick<MatchSuggestionTable, 'score' | 'evidence'>

/**
 * Returns the fingerprint of both records, their children, the band and the findings. A client sends it with a decision to prove which state the
 * person saw. Weights and derived children are left out: they change without an act of a person, so their change is no reason to review the pair
 * again. Children never change, so their count and newest id identify all of them, including the sources of evidence. Each part of each record has
 * its own short hash, so that a message can name the changed part.
 */
export async function pairFingerprint(
  db: Db,
  tenantId: string,
  pair: readonly Business[],
  { score, evidence }: ScoredPair,
): Promise<string> {
  const states: unknown[] = []
  for (const business of pair) {
    const { id, version, status } = business
    const family = await familyOf(db, tenantId, id)
    const found: Record<keyof typeof parts, unknown> = {
      record: { id, version, status },
      doNotContact: business.doNotContact,
      suppressions: await suppressionsOf(db, tenantId, id),
      merges: family,
      ...mapValues(businessChildren, (): unknown => undefined),
    }
    for (const kind of reviewedChildren) found[kind] = await children(db, kind, tenantId, family)
    for (const part of partNames) states.push(found[part])
  }
  const findings = readFindings(evidence).flatMap(({ field, finding }) =>
    field === 'together' ? [] : [[field, finding]],
  )
  return fingerprintOfParts([...states, { band: bandOf(score) ?? null, findings }])
}

const partNames = keysOf(parts)

/**
 * Returns a sentence for each change of a pair between two fingerprints. If `seen` belongs to another pair, returns one sentence that states this.
 */
export function changesBetween(seen: string, now: string, pair: readonly Business[]): string[] {
  const sentences = pair.flatMap(({ name }) => partNames.map((part) => `“${name}” ${parts[part]}.`))
  sentences.push('The evidence for and against the two records changed.')
  return changedParts(seen, now)?.map((at) => sentences[at] ?? '') ?? ['The fingerprint belongs to another pair.']
}

async function children(db: Db, kind: BusinessChild, tenantId: string, family: readonly string[]) {
  const found: unknown[] = []
  for (const businessId of family) {
    const { newest, count } = await db
      .selectFrom(businessChildren[kind].table)
      .select(({ fn }) => [fn.max('id').as('newest'), fn.countAll<number>().as('count')])
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', businessId)
      .executeTakeFirstOrThrow()
    found.push({ newest, count })
  }
  return found
}
