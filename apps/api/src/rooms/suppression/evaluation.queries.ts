import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import { RULES_VERSION } from './match-keys.rules.ts'
import type { Evaluation } from './suppression.schema.ts'

type Db = Kysely<Database>

const KIND = 'suppression-reevaluation'

function underWay(db: Db, tenantId: string) {
  return db
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', KIND)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

function evaluatedBy(db: Db, tenantId: string) {
  return db
    .selectFrom('suppression_rules')
    .select(['rules_version', 'evaluated_at'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

/** A tenant that was never evaluated has keys of rules that nobody wrote down: it is evaluated once, unless it has none. */
export async function needsReevaluation(db: Db, tenantId: string, rulesVersion: string): Promise<boolean> {
  const known = await evaluatedBy(db, tenantId)
  if (known?.rules_version === rulesVersion) return false
  if ((await underWay(db, tenantId)) !== undefined) return false
  if (known !== undefined) return true
  const keyed = await db
    .selectFrom('suppression_record_keys')
    .select('key')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  const entry = await db
    .selectFrom('suppressions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .executeTakeFirst()
  return keyed !== undefined || entry !== undefined
}

export async function getEvaluation(db: Db, tenantId: string): Promise<Evaluation> {
  const known = await evaluatedBy(db, tenantId)
  const job = await underWay(db, tenantId)
  return {
    rulesVersion: RULES_VERSION,
    evaluated: known === undefined ? null : { rulesVersion: known.rules_version, at: known.evaluated_at },
    jobId: job?.id ?? null,
  }
}
