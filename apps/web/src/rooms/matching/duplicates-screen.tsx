import { IconHistory } from '@tabler/icons-react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { messageAbout } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { BehindNotice } from '../../ui/jobs/behind-notice.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { useListError } from '../../ui/lists/use-visible-pages.ts'
import { DuplicatesFilters } from './duplicates-filters.tsx'
import { parseDuplicatesSearch } from './duplicates-search.ts'
import { LastRun, StartRun } from './last-run.tsx'
import { suggestionPages } from './matching.queries.ts'
import { suggestionColumns } from './suggestion-columns.tsx'

const history: Action = {
  id: 'matching.history',
  label: 'Merge history',
  group: 'Duplicates',
  Icon: IconHistory,
  to: '/duplicates/merges',
}

export function DuplicatesScreen() {
  const filters = useListSearch(parseDuplicatesSearch)
  const { search, clear } = filters
  const pages = suggestionPages(search)
  const refusedText = messageAbout(useListError(pages), 'q')
  useActions('screen', [history])
  return (
    <ListScreen
      name="duplicates"
      nouns={{ one: 'pair', many: 'pairs' }}
      title="Duplicates"
      label="Suggested duplicates"
      what="the suggestions"
      lead="Records that may be the same business. Only people merge records, and every merge can be undone."
      actions={
        <>
          <ActionButton action={history} variant="default" iconSize={16} />
          <StartRun />
        </>
      }
      isWrapped
      columns={suggestionColumns}
      pages={pages}
      notices={
        <>
          <BehindNotice of="matching" />
          <LastRun />
        </>
      }
      filters={<DuplicatesFilters {...filters} refused={refusedText} />}
      clear={filters.isFiltered ? clear : null}
      // Show nothing instead of the rows, because the search field shows the reason.
      instead={refusedText === undefined ? undefined : null}
      empty={<NoSuggestions />}
    />
  )
}

function NoSuggestions() {
  const canRun = useCan('matching.run')
  return (
    <Empty title="No duplicates to review">
      Every changed record is compared with the others within a second.{' '}
      {canRun
        ? '“Scan all records” also compares records that were imported or restored.'
        : 'A manager or an administrator can scan all records.'}
    </Empty>
  )
}
