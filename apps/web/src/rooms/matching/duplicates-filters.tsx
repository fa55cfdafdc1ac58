import { Button, CloseButton, SegmentedControl, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { Select } from '../../ui/fields/select.tsx'
import { inputLimits } from '../../ui/forms/input-limits.ts'
import { SearchForm } from '../../ui/forms/search-form.tsx'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { type DuplicatesSearch, parseDuplicatesSearch } from './duplicates-search.ts'
import classes from './matching.module.css'
import { countsQuery } from './matching.queries.ts'
import { bandWords, statusWords } from './matching-words.ts'

type Props = {
  search: DuplicatesSearch
  set: (search: DuplicatesSearch) => void
  /** Why the text that was looked for finds nothing that could be listed. */
  refused: string | undefined
}

export function DuplicatesFilters({ search, set, refused }: Props) {
  const change = (part: Record<string, unknown>) => set(parseDuplicatesSearch({ ...search, ...part }))
  const status = search.status ?? 'open'
  // Counted over the whole tenant: beside the pairs of a text or one record they would be another thing's numbers.
  const isWhole = search.businessId === undefined && search.q === undefined
  const counts = useQuery({ ...countsQuery, enabled: isWhole })
  const known = isWhole ? counts.data?.counts[status] : undefined
  const withCount = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} (${formatNumber(count)})`
  return (
    <search className={classes.filters}>
      <SearchField
        q={search.q ?? ''}
        refused={refused}
        look={(q) => change(q.trim() === '' ? { q: undefined } : { q, businessId: undefined })}
      />
      <Select
        label="Standing"
        size="xs"
        data={Object.entries(statusWords).map(([value, label]) => ({ value, label }))}
        value={status}
        onChange={(next) => change({ status: next })}
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
          onChange={(band) => change({ band })}
        />
      </div>
      {search.businessId !== undefined && (
        <OfOneRecord businessId={search.businessId} clear={() => change({ businessId: undefined })} />
      )}
    </search>
  )
}

type SearchFieldProps = { q: string; refused: string | undefined; look: (q: string) => void }

/** Looks on Enter: a text of one or two characters finds nothing, and says so only when it was meant. */
function SearchField({ q, refused, look }: SearchFieldProps) {
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  // The address changed by itself (Back, "Clear filters"): show what it says.
  useEffect(() => setTyped(q), [q])
  useActions('screen', [
    {
      id: 'duplicates-search',
      label: 'Look for a suggested duplicate',
      group: 'Duplicates',
      keys: '/',
      run: () => input.current?.select(),
    },
  ])
  const clear = () => {
    setTyped('')
    look('')
    input.current?.focus()
  }
  return (
    <SearchForm onSearch={() => look(typed)}>
      <TextInput
        ref={input}
        label="Look for"
        placeholder="A name, number, address or domain"
        size="xs"
        role="searchbox"
        maxLength={inputLimits.search}
        leftSection={<IconSearch size={14} stroke={1.7} aria-hidden />}
        rightSection={typed === '' ? null : <CloseButton size={24} aria-label="Clear the search" onClick={clear} />}
        value={typed}
        error={typed === q ? refused : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </SearchForm>
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
