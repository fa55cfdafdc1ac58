import type { RecordLimit } from '../../lib/limit-reached.ts'
import { rowQuota } from '../../store/change/quota.ts'
import { ruleSetLimits } from './rule-sets/rule-sets.schema.ts'

export const ruleSetQuota = rowQuota({
  name: 'rule_sets',
  table: 'scoring_rule_sets',
  label: 'rule sets',
  remedy: 'Create a new version of one of them.',
  max: ruleSetLimits.perTenant,
})

export const versionLimit: RecordLimit = {
  name: 'rule_set_versions',
  of: 'record',
  record: 'rule set',
  label: 'versions',
  remedy: 'Create a new rule set.',
  max: ruleSetLimits.versions,
}
