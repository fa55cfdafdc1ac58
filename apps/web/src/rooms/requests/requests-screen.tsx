import type { ListedSubjectRequest } from '@prospect/api-client'
import { IconClipboardText } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { AddRequestDialog } from './add-request-dialog.tsx'
import { DueMark } from './due-mark.tsx'
import { parseRequestSearch } from './request-search.ts'
import { kindWords } from './request-words.ts'
import { requestPages } from './requests.queries.ts'

const columns: readonly DataColumn<ListedSubjectRequest>[] = [
  {
    id: 'requester',
    label: 'Person',
    width: 16,
    isFixed: true,
    isGrowing: true,
    render: ({ id, requester, kind }) => (
      <>
        <Link to="/subject-requests/$requestId" params={{ requestId: id }} className={cells.name}>
          <Name of={requester.name} />
        </Link>
        <span className={cells.under}>{kindWords[kind]}</span>
      </>
    ),
  },
  { id: 'due', label: 'Due', width: 16, render: (request) => <DueMark request={request} /> },
  {
    id: 'prospect',
    label: 'Prospect',
    width: 16,
    isGrowing: true,
    narrow: 'wide',
    render: ({ business }) => (business === null ? null : <Name of={business.name} />),
  },
  { id: 'received', label: 'Received', width: 10, render: ({ receivedAt }) => <DateTime at={receivedAt} as="date" /> },
]

const stateOptions = [
  { value: 'overdue', label: 'Overdue' },
  { value: 'upcoming', label: 'Due today or later' },
  { value: 'answered', label: 'Answered' },
]

/** Requests of people about their own data: the earliest due day first. */
export function RequestsScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseRequestSearch)
  const adding = useDialog()
  const add: Action = {
    id: 'requests.add',
    label: 'Enter a subject request',
    shortLabel: 'Enter request',
    group: 'Subject requests',
    Icon: IconClipboardText,
    keywords: 'access objection erasure popia privacy',
    permission: 'requests.manage',
    run: () => adding.open(),
  }
  useActions('screen', [add])
  return (
    <ListScreen
      name="requests"
      nouns={{ one: 'request', many: 'requests' }}
      title="Subject requests"
      label="Subject requests"
      what="subject requests"
      lead={<p>Requests of people about their own data. Each is answered within 30 days.</p>}
      actions={<ActionButton action={add} iconSize={16} />}
      isWrapped
      columns={columns}
      pages={requestPages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <FilterSelect
            label="State"
            placeholder="Open"
            options={stateOptions}
            value={search.state}
            onChange={(state) => set({ state })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      empty={<Empty title="No open requests">Enter a request when a person asks about their own data.</Empty>}
    >
      {adding.slot((_, dialog) => (
        <AddRequestDialog {...dialog} />
      ))}
    </ListScreen>
  )
}
