import type { PersonRef } from '@prospect/api-client'
import { useSession } from '../../../ui/api/session.ts'
import chip from '../../../ui/lists/filter-chip.module.css'
import { ClearFilter } from '../../../ui/lists/filter-chip.tsx'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { furtherOf } from './filter-conditions.ts'
import { conditionWords } from './filter-words.ts'
import type { ProspectFilters, SearchPatch } from './prospect-search.ts'

type Props = {
  filters: ProspectFilters
  people: readonly PersonRef[]
  bands: ScoreBands
  change: (patch: SearchPatch) => void
}

/** Chips for conditions without a parameter, from a saved filter or an address. Each can be removed. */
export function FurtherChips({ filters, people, bands, change }: Props) {
  const { timeZone } = useSession().tenant
  const conditions = furtherOf(filters)
  return conditions.map((condition, index) => {
    const words = conditionWords(condition, { people, bands }, timeZone)
    const rest = conditions.toSpliced(index, 1)
    return (
      <span key={JSON.stringify(condition)} className={chip.chip}>
        <span className={chip.words}>{words}</span>
        <ClearFilter
          words={words}
          onClear={() => change({ conditions: rest.length === 0 ? undefined : JSON.stringify(rest) })}
        />
      </span>
    )
  })
}
