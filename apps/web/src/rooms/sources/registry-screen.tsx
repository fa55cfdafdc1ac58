import { Checkbox } from '@mantine/core'
import type { Source } from '@prospect/api-client'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
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
import { DesksDialog } from './desks-dialog.tsx'
import { ProposeDialog } from './propose-dialog.tsx'
import { parseSourceSearch, sourceStatuses } from './source-search.ts'
import { SourceStatus } from './source-status.tsx'
import { statusWords } from './source-words.ts'
import { adaptersQuery, sourcePages } from './sources.queries.ts'

const columns: readonly DataColumn<Source>[] = [
  {
    id: 'source',
    label: 'Source',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (source) => (
      <>
        <Link to="/sources/$sourceId" params={{ sourceId: source.id }} className={cells.name}>
          <Name of={source.name} />
        </Link>
        <span className={cells.under}>{source.slug}</span>
      </>
    ),
  },
  {
    id: 'adapter',
    label: 'Connector',
    width: 12,
    render: ({ adapter }) => (
      <>
        {adapter === null ? 'Built in' : `${adapter.id} ${adapter.version}`}
        {adapter?.isLoaded === false && <span className={cells.under}>Not loaded</span>}
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 12,
    render: (source) => (
      <>
        <SourceStatus source={source} />
        {source.waitsForMe && <span className={cells.under}>Waiting for you</span>}
      </>
    ),
  },
  {
    id: 'ends',
    label: 'Ends',
    width: 9,
    render: ({ enabledUntil }) => (enabledUntil === null ? '–' : <DateTime at={enabledUntil} as="date" />),
  },
]

export function RegistryScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseSourceSearch)
  const proposing = useDialog()
  const designating = useDialog()
  // Loaded before the dialog opens, because its inputs depend on the adapters.
  useQuery(adaptersQuery)
  const propose: Action = {
    id: 'sources.propose',
    label: 'Propose source',
    group: 'Sources',
    Icon: IconPlus,
    keys: 'shift+n',
    permission: 'sources.propose',
    asksMore: true,
    run: () => proposing.open(),
  }
  const desks: Action = {
    id: 'sources.desks',
    label: 'Desks',
    group: 'Sources',
    Icon: IconUsers,
    permission: 'sources.configure',
    asksMore: true,
    run: () => designating.open(),
  }
  useActions('screen', [propose, desks])
  return (
    <ListScreen
      name="sources"
      nouns={{ one: 'source', many: 'sources' }}
      title="Sources"
      label="Sources"
      lead="Places that records can come from, with terms, approvals and limits."
      actions={
        <>
          <ActionButton action={desks} iconSize={16} variant="default" />
          <ActionButton action={propose} iconSize={16} />
        </>
      }
      isWrapped
      columns={columns}
      pages={sourcePages(search)}
      filters={
        <FilterBar isFiltered={isFiltered} clear={clear}>
          <FilterSelect
            label="Status"
            placeholder="All"
            options={sourceStatuses.map((value) => ({ value, label: statusWords[value] }))}
            value={search.status}
            onChange={(status) => set({ status })}
          />
          <Checkbox
            label="Waiting for me"
            checked={search.waitingForMe === 'true'}
            onChange={(event) => set({ waitingForMe: event.currentTarget.checked ? 'true' : null })}
          />
          <Checkbox
            label="Ends within 30 days"
            checked={search.endsWithinDays === '30'}
            onChange={(event) => set({ endsWithinDays: event.currentTarget.checked ? '30' : null })}
          />
        </FilterBar>
      }
      clear={isFiltered ? clear : null}
      empty={<Empty title="No sources yet">Propose a source, or record references on a prospect.</Empty>}
    >
      {proposing.slot((_, dialog) => (
        <ProposeDialog {...dialog} />
      ))}
      {designating.slot((_, { close }) => (
        <DesksDialog close={close} />
      ))}
    </ListScreen>
  )
}
