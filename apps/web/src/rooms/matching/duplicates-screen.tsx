import { Button, SegmentedControl, Select, TextInput, Title } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { isProblem } from '../../ui/api-problem.ts'
import { formatNumber } from '../../ui/format.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Name } from '../../ui/name.tsx'
import { recordKey } from '../../ui/record-keys.ts'
import { useCan } from '../../ui/session.ts'
import { Empty, Failed, FilteredToNothing, LoadingLines, NoPermission } from '../../ui/states.tsx'
import { type DuplicatesSearch, MAX_SEARCH, parseDuplicatesSearch } from './duplicates-search.ts'
import { LastRun, StartRun } from './last-run.tsx'
import classes from './matching.module.css'
import { countsQuery, suggestionsQuery } from './matching.queries.ts'
import { bandWords, statusWords } from './matching-words.ts'
import { SuggestionTable } from './suggestion-table.tsx'

export function DuplicatesScreen() {
  if (!useCan('matching.read')) return <NoPermission isPage what="suggested duplicates" />
  return <Duplicates />
}

function Duplicates() {
  const search = useSearch({ from: '/desk/duplicates', select: parseDuplicatesSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/duplicates' })
  const list = useInfiniteQuery(suggestionsQuery(search))
  const refusedText = isProblem(list.error) ? list.error.errors.find(({ path }) => path === 'q')?.message : undefined
  const set = (next: DuplicatesSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  return (
    <div className={classes.page}>
      <title>Duplicates · Prospect Platform</title>
      <header className={classes.head}>
        <div>
          <Title order={1}>Duplicates</Title>
          <p>Records that may be one business, the likeliest first. Only a person merges, and a merge can be undone.</p>
        </div>
        <div className={classes.actions}>
          <Link to="/duplicates/merges" className={classes.link}>
            History of merges
          </Link>
          <StartRun />
        </div>
      </header>
      <LastRun />
      <Filters key={search.q ?? ''} search={search} set={set} refused={refusedText} />
      {list.isPending && <LoadingLines lines={8} />}
      {list.isError && !list.data && refusedText === undefined && (
        <Failed error={list.error} retry={() => void list.refetch()} what="the suggestions" />
      )}
      {list.data?.items.length === 0 && <Nothing search={search} clear={() => set({})} />}
      {list.data && list.data.items.length > 0 && (
        <>
          <SuggestionTable items={list.data.items} search={search} />
          <LoadMore what="suggestions" {...list} data={list.data} />
        </>
      )}
    </div>
  )
}

function Nothing({ search, clear }: { search: DuplicatesSearch; clear: () => void }) {
  const canRun = useCan('matching.run')
  if (Object.keys(search).length > 0) return <FilteredToNothing what="suggestions" clear={clear} />
  return (
    <Empty title="No duplicates to decide">
      Records are compared within a second of every change.{' '}
      {canRun
        ? 'What came in by another way is found by “Look through all records”.'
        : 'A manager or an administrator can have all records looked through.'}
    </Empty>
  )
}

type FiltersProps = {
  search: DuplicatesSearch
  set: (search: DuplicatesSearch) => void
  /** Why the text that was looked for finds nothing that could be listed. */
  refused: string | undefined
}

function Filters({ search, set, refused }: FiltersProps) {
  const [typed, setTyped] = useState(search.q ?? '')
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change({ q: typed, businessId: undefined })
        }}
      >
        <TextInput
          label="Look for"
          placeholder="A name, number, address or domain"
          size="xs"
          type="search"
          maxLength={MAX_SEARCH}
          data-search
          leftSection={<IconSearch size={14} stroke={1.7} aria-hidden />}
          value={typed}
          error={refused}
          onChange={(event) => {
            const { value } = event.currentTarget
            setTyped(value)
            if (value === '' && search.q !== undefined) change({ q: undefined })
          }}
        />
      </form>
      <Select
        label="Standing"
        size="xs"
        allowDeselect={false}
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

function OfOneRecord({ businessId, clear }: { businessId: string; clear: () => void }) {
  const { data } = useQuery({
    queryKey: recordKey(businessId),
    queryFn: ({ signal }) => api.get<Business>(`/businesses/${businessId}`, { signal }),
  })
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
