import type { Db } from '../../../store/database.ts'
import { type Business, newestIdFirst } from '../../businesses/businesses.ts'
import { type ChoosableField, type FieldOutcome, fieldValue } from './merge-plan.rules.ts'
import type { Choice } from './merges.schema.ts'

/** Maximum number of pieces of evidence that are listed with an alternative, newest first. All other evidence stays with the merged record. */
const EVIDENCE_NAMED = 20

/** One record of a pair. `family`: its id and the ids of all records merged into it before, whose evidence counts as its own. */
export type Side = { business: Business; family: readonly string[] }

/** Lists each field in which the records differ, with the chosen value, and with the other value and its evidence. */
export async function choicesOf(
  db: Db,
  tenantId: string,
  survivor: Side,
  loser: Side,
  fields: readonly FieldOutcome[],
): Promise<Choice[]> {
  const choices: Choice[] = []
  for (const { field, from, chosen } of fields) {
    const [stands, other] = from === survivor.business.id ? [survivor, loser] : [loser, survivor]
    const alternative = fieldValue(other.business, field)
    const value = fieldValue(stands.business, field)
    if (alternative === null || alternative === value) continue
    const evidenceIds = await evidenceOf(db, tenantId, other.family, field)
    const { id } = other.business
    choices.push({ field, value, from, chosen, alternative: { value: alternative, from: id, evidenceIds } })
  }
  return choices
}

type ObservedField = Exclude<ChoosableField, 'assignee' | 'pipelineState'>

/** True if observations can support the field. The assignee and the pipeline state are decisions, so they have none. */
function isObserved(field: ChoosableField): field is ObservedField {
  return field !== 'assignee' && field !== 'pipelineState'
}

async function evidenceOf(
  db: Db,
  tenantId: string,
  family: readonly string[],
  field: ChoosableField,
): Promise<string[]> {
  if (!isObserved(field)) return []
  const rows: { id: string }[] = []
  for (const businessId of family) {
    const own = await db
      .selectFrom('evidence')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('business_id', '=', businessId)
      .where('field', '=', field)
      .orderBy('id', 'desc')
      .limit(EVIDENCE_NAMED)
      .execute()
    rows.push(...own)
  }
  const newest = rows.sort(newestIdFirst).slice(0, EVIDENCE_NAMED)
  return newest.map(({ id }) => id)
}

/** Counts the observations of a field for one record and for the records merged into it. */
export async function countEvidenceOf(
  db: Db,
  tenantId: string,
  family: readonly string[],
  field: ChoosableField,
): Promise<number> {
  if (!isObserved(field)) return 0
  const { count } = await db
    .selectFrom('evidence')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', family)
    .where('field', '=', field)
    .executeTakeFirstOrThrow()
  return count
}
