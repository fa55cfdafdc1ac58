import type { Kysely } from 'kysely'
import { fingerprint } from '../../../lib/hashing.ts'
import { mapValues } from '../../../lib/map-values.ts'
import type { Database } from '../../../store/database.ts'
import { type Business, familyOf } from '../../businesses/businesses.ts'
import { type BusinessChild, businessChildNames, businessChildren } from '../../facts.ts'
import { readFindings } from '../matching.schema.ts'
import type { MatchSuggestionTable } from '../matching.table.ts'
import { bandOf } from '../rules/exact-arithmetic.rules.ts'
import { suppressionsOf } from './merge-snapshot.ts'

type Db = Kysely<Database>

/** The parts of a graph, each with what follows the name of a record of which this part changed. */
const parts = {
  record: 'was edited or moved',
  doNotContact: 'was marked do not contact, or is so for another reason',
  suppressions: 'is matched by other suppression entries than before',
  merges: 'was merged with another record, or a merge was reversed',
  ...mapValues(businessChildren, ({ changed }) => changed),
}

/** Enough of a hash to tell two states of one record apart; the merge compares the whole graphs besides. */
const PART_LENGTH = 12

/** What was said of a pair when it was compared. */
export type Weighed = Pick<MatchSuggestionTable, 'score' | 'evidence'>

/**
 * Of both records with all that hangs on them, and of band and findings: whoever decides shows with it what they saw. What a finding
 * weighs changes a little with every record that shares a value, and is nobody's reason to look again. Children are written once and never changed, so how many there are and which is the newest says all of them, the sources of
 * evidence among them. One short hash for each part of each record, so that what changed can be told.
 */
export async function pairFingerprint(
  db: Db,
  tenantId: string,
  pair: readonly Business[],
  { score, evidence }: Weighed,
): Promise<string> {
  const hashes: string[] = []
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
    for (const kind of businessChildNames) found[kind] = await children(db, kind, tenantId, family)
    for (const part of partNames) hashes.push(fingerprint(found[part]).slice(0, PART_LENGTH))
  }
  const findings = readFindings(evidence).flatMap(({ field, finding }) =>
    field === 'together' ? [] : [[field, finding]],
  )
  hashes.push(fingerprint({ band: bandOf(score) ?? null, findings }).slice(0, PART_LENGTH))
  return hashes.join('-')
}

const partNames = Object.keys(parts) as (keyof typeof parts)[]

/** What changed between two fingerprints of a pair, a sentence each; one that says nothing of this pair says that. */
export function changesBetween(seen: string, now: string, pair: readonly Business[]): string[] {
  const before = seen.split('-')
  const after = now.split('-')
  if (before.length !== after.length) return ['The fingerprint is none of this pair.']
  const changes = pair.flatMap(({ name }, which) =>
    partNames.flatMap((part, at) => {
      const index = which * partNames.length + at
      return before[index] === after[index] ? [] : [`“${name}” ${parts[part]}.`]
    }),
  )
  if (before.at(-1) !== after.at(-1)) changes.push('What speaks for and against the two is not what it was.')
  return changes
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
