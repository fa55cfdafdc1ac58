import type { Db } from '../../../store/database.ts'
import { RULES_VERSION } from '../../contact-gate/contact-gate.ts'
import { findOpenJob } from '../../jobs/jobs.ts'
import type { Evaluation } from '../suppression.schema.ts'
import type { SuppressionRulesTable } from '../suppression.table.ts'

const KIND = 'suppression-reevaluation'

function evaluatedBy(db: Db, tenantId: string) {
  return db
    .selectFrom('suppression_rules')
    .select(['rules_version', 'evaluated_at'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

/** State of a tenant's keys. `blank`: the tenant has no records and no entries yet, so all future ones get keys of the present rules. */
export type EvaluationState = 'evaluated' | 'blank' | 'under way' | 'outdated'

/**
 * Returns the state of a tenant's keys. A tenant with records but without a recorded evaluation is `outdated`, because the rules of its keys are
 * unknown.
 */
export async function evaluationState(db: Db, tenantId: string, rulesVersion: string): Promise<EvaluationState> {
  if ((await evaluatedBy(db, tenantId))?.rules_version === rulesVersion) return 'evaluated'
  if (await isBlank(db, tenantId)) return 'blank'
  return (await findOpenJob(db, tenantId, KIND)) === undefined ? 'outdated' : 'under way'
}

async function isBlank(db: Db, tenantId: string): Promise<boolean> {
  const ofTenant = (table: 'businesses' | 'suppressions') =>
    db.selectFrom(table).select('tenant_id').where('tenant_id', '=', tenantId).limit(1).executeTakeFirst()
  return (await ofTenant('businesses')) === undefined && (await ofTenant('suppressions')) === undefined
}

/** Records the rules by which all records and entries of the tenant were evaluated. */
export async function saveEvaluation(db: Db, tenantId: string, rulesVersion: string, at: string): Promise<void> {
  const row: Omit<SuppressionRulesTable, 'tenant_id'> = { rules_version: rulesVersion, evaluated_at: at }
  await db
    .insertInto('suppression_rules')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute()
}

/** Deletes the recorded evaluation, so that the next start of the API queues a re-evaluation of the tenant. */
export async function deleteEvaluation(db: Db, tenantId: string): Promise<void> {
  await db.deleteFrom('suppression_rules').where('tenant_id', '=', tenantId).execute()
}

export async function getEvaluation(db: Db, tenantId: string): Promise<Evaluation> {
  const known = await evaluatedBy(db, tenantId)
  const job = await findOpenJob(db, tenantId, KIND)
  return {
    rulesVersion: RULES_VERSION,
    evaluated: known === undefined ? null : { rulesVersion: known.rules_version, at: known.evaluated_at },
    jobId: job?.id ?? null,
  }
}
