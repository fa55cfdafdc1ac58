import { countRows, type Quota } from '../../../store/change/quota.ts'
import { limits } from '../sources.schema.ts'

/** Sources are withdrawn and never deleted, because records name them. */
export const sourceQuota: Quota = {
  name: 'sources',
  of: 'tenant',
  label: 'sources',
  remedy: 'None can be deleted. Save a new version of the contract of one of them.',
  max: limits.sources,
  error: 'limit_reached',
  count: (db, { tenantId }, upTo) =>
    countRows(db, db.selectFrom('sources').select('id').where('tenant_id', '=', tenantId), upTo),
}
