import { Checkbox } from '@mantine/core'
import type { Source } from '@prospect/api-client'
import { IconPlayerStop, IconPlus, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { type OnVisibleRows, useVisibleRows } from '../../ui/lists/use-visible-rows.ts'
import { SourceNav } from '../../ui/rooms/source-nav.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { DesksDialog } from './desks-dialog.tsx'
import { ProposeDialog } from './propose-dialog.tsx'
import { parseSourceSearch, type SourceSearch, sourceStatuses } from './source-search.ts'
import { sourceLabel, statusWords } from './source-words.ts'
import classes from './sources.module.css'
import { sourcePages } from './sources.queries.ts'

export function RegistryScreen() {
  if (!useCan('sources.read')) return <NoPermission isPage what="the sources" />
  return <Registry />
}

function Registry() {
  const search = useSearch({ from: '/desk/sources', select: parseSourceSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/sources' })
  const { list, rows, total, see } = useVisiblePages(sourcePages(search))
  const [open, setOpen] = useState<'propose' | 'desks' | null>(null)
  const set = (part: Record<string, string | boolean | null>) =>
    void navigate({ search: parseSourceSearch({ ...search, ...part }), replace: true, resetScroll: false })
  const propose: Action = {
    id: 'sources.propose',
    label: 'Propose a source',
    group: 'Sources',
    Icon: IconPlus,
    keys: 'n',
    permission: 'sources.propose',
    asksMore: true,
    run: () => setOpen('propose'),
  }
  const desks: Action = {
    id: 'sources.desks',
    label: 'Desks',
    group: 'Sources',
    Icon: IconUsers,
    permission: 'sources.configure',
    asksMore: true,
    run: () => setOpen('desks'),
  }
  useActions('screen', [propose, desks])
  return (
    <>
      <SourceNav />
      <Page
        title="Sources"
        lead="Where records may come from: the terms, who approved them, and what each one delivered."
        actions={
          <>
            <ActionButton action={desks} iconSize={16} />
            <ActionButton action={propose} iconSize={16} />
          </>
        }
      >
        <search className={classes.filters}>
          <Select
            label="Status"
            placeholder="All"
            size="xs"
            clearable
            data={sourceStatuses.map((value) => ({ value, label: statusWords[value] }))}
            value={search.status ?? null}
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
        </search>
        <ListBody
          list={list}
          data={list.data && { items: rows, total }}
          noun="sources"
          clear={isFiltered(search) ? () => void navigate({ search: {}, resetScroll: false }) : null}
          empty={<Empty title="There are no sources">Propose one, or record references by hand on a prospect.</Empty>}
        >
          {(items) => <SourceTable sources={items} see={see} />}
        </ListBody>
        <DialogSlot>
          {open === 'propose' && <ProposeDialog close={() => setOpen(null)} reopen={() => setOpen('propose')} />}
          {open === 'desks' && <DesksDialog close={() => setOpen(null)} />}
        </DialogSlot>
      </Page>
    </>
  )
}

const isFiltered = (search: SourceSearch) => Object.keys(search).length > 0

function SourceTable({ sources, see }: { sources: Source[]; see: OnVisibleRows }) {
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'source', 'Sources')
  return (
    <table ref={table} className={classes.table} aria-label="Sources">
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Adapter</th>
          <th scope="col">Status</th>
          <th scope="col">Ends</th>
        </tr>
      </thead>
      <tbody>
        {sources.map((source) => (
          <tr key={source.id}>
            <td className={classes.value}>
              <Link to="/sources/$sourceId" params={{ sourceId: source.id }}>
                <Name of={source.name} />
              </Link>
              <span className={classes.soft}>{source.slug}</span>
            </td>
            <td>
              {source.adapter === null ? 'Built in' : `${source.adapter.id} ${source.adapter.version}`}
              {source.adapter?.isLoaded === false && <span className={classes.soft}>Not loaded</span>}
            </td>
            <td>
              <StatusMark source={source} />
              {source.waitsForMe && <span className={classes.soft}>Waiting for you</span>}
            </td>
            <td>{source.enabledUntil === null ? '—' : <DateTime at={source.enabledUntil} as="date" />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A stopped source is marked by an icon as well as by its colour. */
export function StatusMark({ source }: { source: Source }) {
  const isStopped = source.circuit.state === 'open'
  return (
    <span className={classes.status} data-status={isStopped ? 'stopped' : source.status}>
      {isStopped && <IconPlayerStop size={13} stroke={2} aria-hidden />}
      {sourceLabel(source)}
    </span>
  )
}
