import type { ListedSubjectRequest } from '@prospect/api-client'
import { IconClipboardText, IconFileSearch } from '@tabler/icons-react'
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
import { ValueHoldingDialog } from './holding-dialog.tsx'
import { parseRequestSearch } from './request-search.ts'
import { kindWords } from './request-words.ts'
import { requestPages } from './requests.queries.ts'

const columns: readonly DataColumn<ListedSubjectRequest>[] = [
  {
    id: 'requester',
    label: 'Who asks',
    width: 16,
    isFixed: true,
    isGrowing: true,
    render: ({ id, requester, kind, emptiedAt }) => (
      <>
        <Link to="/subject-requests/$requestId" params={{ requestId: id }} className={cells.name}>
          {emptiedAt === null ? <Name of={requester.name} /> : 'Name deleted'}
        </Link>
        <span className={cells.under}>{kindWords[kind]}</span>
      </>
    ),
  },
  { id: 'due', label: 'Answer', width: 16, render: (request) => <DueMark request={request} /> },
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
  const [adding, collecting] = [useDialog(), useDialog()]
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
  const collect: Action = {
    id: 'requests.collect',
    label: 'Everything held about a value',
    group: 'Subject requests',
    Icon: IconFileSearch,
    keywords: 'collect email phone domain source where from',
    permission: 'holdings.create',
    asksMore: true,
    run: () => collecting.open(),
  }
  useActions('screen', [add, collect])
  return (
    <ListScreen
      name="requests"
      nouns={{ one: 'request', many: 'requests' }}
      title="Subject requests"
      label="Subject requests"
      what="subject requests"
      lead={
        <p>
          People can ask what you hold about them, or ask you to correct it, delete it or stop contacting them. Enter
          each request here, and answer it within 30 days.
        </p>
      }
      actions={
        <>
          <ActionButton action={collect} iconSize={16} variant="default" />
          <ActionButton action={add} iconSize={16} />
        </>
      }
      isWrapped
      columns={columns}
      pages={requestPages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <FilterSelect
            label="Show"
            placeholder="All open requests"
            options={stateOptions}
            value={search.state}
            onChange={(state) => set({ state })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      empty={<Empty title="No open requests">When a person asks about their own data, enter the request here.</Empty>}
    >
      {adding.slot((_, dialog) => (
        <AddRequestDialog {...dialog} />
      ))}
      {collecting.slot((_, dialog) => (
        <ValueHoldingDialog {...dialog} />
      ))}
    </ListScreen>
  )
}
