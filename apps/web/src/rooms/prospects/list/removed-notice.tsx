import type { RemovedFilterValue } from '@prospect/api-client'
import { RemovedList } from '../../../ui/prospects/removed-list.tsx'
import { withoutValue } from '../../../ui/prospects/removed-values.ts'
import { furtherOf } from './address-filters.ts'
import { writeConditions } from './condition-text.ts'
import classes from './filter-bar.module.css'
import type { ProspectFilters, SearchPatch } from './prospect-search.ts'

type Props = {
  removed: readonly RemovedFilterValue[]
  filters: ProspectFilters
  change: (patch: SearchPatch) => void
}

/** Values of the filters that no longer exist, with their effect. Each can be taken out of the filters. */
export function RemovedNotice({ removed, filters, change }: Props) {
  return (
    <div role="status" className={classes.removed}>
      <RemovedList removed={removed} remove={(one) => change(patchWithout(filters, one))} />
    </div>
  )
}

/** Patch that takes one value out of the filters of an address. */
function patchWithout(filters: ProspectFilters, removed: RemovedFilterValue): SearchPatch {
  const { field, value } = removed
  const further = withoutValue(furtherOf(filters), removed)
  const conditions = further.length === 0 ? undefined : writeConditions(further)
  return { ...(field !== 'sourceLabel' && filters[field] === value && { [field]: undefined }), conditions }
}
