import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { FilterBar } from '../../ui/lists/filters.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import type { ListSearch } from '../../ui/lists/use-list-search.ts'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import type { DuplicatesSearch } from './duplicates-search.ts'
import classes from './matching.module.css'
import { countsQuery } from './matching.queries.ts'
import { bandWords, statusWords } from './matching-words.ts'

type Props = ListSearch<DuplicatesSearch> & {
  /** Reason why the search text is invalid. */
  refused: string | undefined
}

export function DuplicatesFilters({ search, set, clear, isFiltered, refused }: Props) {
  const status = search.status ?? 'open'
  // The counts cover the whole workspace, so they are shown only without a search text or a record.
  const isWhole = search.businessId === undefined && search.q === undefined
  const counts = useQuery({ ...countsQuery, enabled: isWhole })
  const known = isWhole ? counts.data?.counts[status] : undefined
  const withCount = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${formatNumber(count)})`
  return (
    <FilterBar isFiltered={isFiltered} clear={clear}>
      <SearchField
        label="Search"
        placeholder="Name, number, address or domain"
        maxLength={inputLimits.search}
        q={search.q ?? ''}
        search={(q) => set(q.trim() === '' ? { q: undefined } : { q, businessId: undefined })}
        error={refused}
        action={{ id: 'duplicates-search', label: 'Search suggested duplicates', group: 'Duplicates' }}
      />
      <Select
        label="Status"
        size="xs"
        data={Object.entries(statusWords).map(([value, label]) => ({ value, label }))}
        value={status}
        onChange={(next) => set({ status: next })}
      />
      <div className={classes.bands}>
        <span id="duplicates-band">Band</span>
        <SegmentedControl
          aria-labelledby="duplicates-band"
          size="xs"
          data={[
            { value: '', label: withCount('All', known && known.strong + known.review) },
            { value: 'strong', label: withCount(bandWords.strong, known?.strong) },
            { value: 'review', label: withCount(bandWords.review, known?.review) },
          ]}
          value={search.band ?? ''}
          onChange={(band) => set({ band })}
        />
      </div>
      {search.businessId !== undefined && (
        <OfOneRecord businessId={search.businessId} clear={() => set({ businessId: undefined })} />
      )}
    </FilterBar>
  )
}

function OfOneRecord({ businessId, clear }: { businessId: string; clear: () => void }) {
  const { data } = useQuery(businessQuery(businessId))
  return (
    <p className={classes.chip}>
      <span>
        Of{' '}
        <Link to="/prospects/$businessId" params={{ businessId }}>
          <Name of={data?.name ?? 'one record'} />
        </Link>
      </span>
      <Button size="compact-xs" variant="subtle" onClick={clear}>
        Show all
      </Button>
    </p>
  )
}
