import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { messageAbout } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, FilteredToNothing, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DuplicatesFilters } from './duplicates-filters.tsx'
import { type DuplicatesSearch, parseDuplicatesSearch } from './duplicates-search.ts'
import { LastRun, StartRun } from './last-run.tsx'
import { suggestionsQuery } from './matching.queries.ts'
import { SuggestionTable } from './suggestion-table.tsx'

export function DuplicatesScreen() {
  if (!useCan('matching.read')) return <NoPermission isPage what="suggested duplicates" />
  return <Duplicates />
}

function Duplicates() {
  const search = useSearch({ from: '/desk/duplicates', select: parseDuplicatesSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/duplicates' })
  const list = useInfiniteQuery(suggestionsQuery(search))
  const refusedText = messageAbout(list.error, 'q')
  const set = (next: DuplicatesSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })
  return (
    <Page
      title="Duplicates"
      lead="Records that may be one business. Only a person merges, and a merge can be undone."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/duplicates/merges" />}>
            History of merges
          </Button>
          <StartRun />
        </>
      }
    >
      <LastRun />
      <DuplicatesFilters search={search} set={set} refused={refusedText} />
      {refusedText === undefined && (
        <ListBody list={list} data={list.data} noun="suggestions" empty={<Nothing search={search} clear={clear} />}>
          {(items) => <SuggestionTable items={items} search={search} />}
        </ListBody>
      )}
    </Page>
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
