import type { RemovedFilterValue } from '@prospect/api-client'
import { RemovedList } from '../../../ui/prospects/removed-list.tsx'
import { type RemovedEffect, withoutValue } from '../../../ui/prospects/removed-values.ts'
import classes from './filter-bar.module.css'
import { furtherOf } from './filter-conditions.ts'
import { writeConditions } from './further-conditions.ts'
import type { ProspectFilters, SearchPatch } from './prospect-search.ts'

type Props = {
  removed: readonly RemovedFilterValue[]
  filters: ProspectFilters
  /** True if the list sends every filter as a condition. */
  asConditions: boolean
  change: (patch: SearchPatch) => void
}

/** Values of the filters that no longer exist, with their effect. Each can be taken out of the filters. */
export function RemovedNotice({ removed, filters, asConditions, change }: Props) {
  // The parameter `assignee`, unlike a condition, matches what is still assigned to a former member.
  const effectOf = ({ field, value, name, effect }: RemovedFilterValue): RemovedEffect =>
    !asConditions && field === 'assignee' && filters.assignee === value && name !== null ? 'still_matches' : effect
  return (
    <div role="status" className={classes.removed}>
      <RemovedList removed={removed} effectOf={effectOf} remove={(one) => change(patchWithout(filters, one))} />
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
