import type { PersonRef } from '@prospect/api-client'
import { useSession } from '../../../ui/api/session.ts'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { furtherOf } from './address-filters.ts'
import { ConditionChip } from './condition-editor.tsx'
import { writeConditions } from './condition-text.ts'
import type { FilterCondition } from './filter-fields.ts'
import { conditionWords } from './filter-words.ts'
import type { ProspectFilters, SearchPatch } from './prospect-search.ts'

type Props = {
  filters: ProspectFilters
  people: readonly PersonRef[]
  bands: ScoreBands
  /** A condition that is being chosen, after those of the address. */
  added: FilterCondition | null
  change: (patch: SearchPatch) => void
  /** Called with the chosen condition as soon as it is complete. */
  onAdd: (condition: FilterCondition) => void
  onClose: () => void
}

/** Conditions with several values, exclusions and ranges: each is shown, edited and removed as a chip. */
export function FurtherChips({ filters, people, bands, added, change, onAdd, onClose }: Props) {
  const { timeZone } = useSession().tenant
  const conditions = furtherOf(filters)
  const apply = (next: FilterCondition[]) =>
    change({ conditions: next.length === 0 ? undefined : writeConditions(next) })
  const shown = added === null ? conditions : [...conditions, added]
  return shown.map((condition, index) => {
    const isAdded = index === conditions.length
    return (
      <ConditionChip
        // A chosen condition keeps its place when the address has it, so its popover stays open.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={`${condition.field} ${index}`}
        condition={condition}
        words={isAdded ? null : conditionWords(condition, { people, bands, timeZone })}
        people={people}
        bands={bands}
        onChange={(next) => (isAdded ? onAdd(next) : apply(conditions.with(index, next)))}
        onClear={() => apply(conditions.toSpliced(index, 1))}
        onClose={() => isAdded && onClose()}
      />
    )
  })
}
