import type { RecordLimit } from '../../lib/limit-reached.ts'
import { countRows, type Quota } from '../../store/change/quota.ts'
import { ruleSetLimits } from './rule-sets/rule-sets.schema.ts'

export const ruleSetQuota: Quota = {
  name: 'rule_sets',
  of: 'tenant',
  label: 'rule sets',
  remedy: 'Create a new version of one of them.',
  max: ruleSetLimits.perTenant,
  error: 'limit_reached',
  count: (db, { tenantId }, upTo) =>
    countRows(db, db.selectFrom('scoring_rule_sets').select('id').where('tenant_id', '=', tenantId), upTo),
}

export const versionLimit: RecordLimit = {
  name: 'rule_set_versions',
  of: 'record',
  record: 'rule set',
  label: 'versions',
  remedy: 'Create a new rule set.',
  max: ruleSetLimits.versions,
}
