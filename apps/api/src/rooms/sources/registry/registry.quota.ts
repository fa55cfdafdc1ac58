import { rowQuota } from '../../../store/change/quota.ts'
import { limits } from '../sources.schema.ts'

/** Sources are withdrawn and never deleted, because records name them. */
export const sourceQuota = rowQuota({
  name: 'sources',
  table: 'sources',
  label: 'sources',
  remedy: 'Sources cannot be deleted. Save a new version of the contract of an existing source.',
  max: limits.sources,
})
