import type { AuditEvent } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useActionLabel } from '../../ui/api/audit-actions.ts'
import { useSession } from '../../ui/api/session.ts'
import { Empty } from '../../ui/layout/states.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { loadedRow } from '../../ui/lists/visible-pages.ts'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { type AuditQuery, auditPages } from './audit.queries.ts'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import classes from './audit-screen.module.css'
import { auditQueryOf, filtersOf, isFiltered, parseAuditSearch } from './audit-search.ts'
import { actionSentence, actorOf } from './audit-words.ts'
import { EventDetail } from './event-detail.tsx'
import { Subject } from './subject.tsx'
import { Verification } from './verification.tsx'

const columns: readonly DataColumn<AuditEvent>[] = [
  { id: 'when', label: 'When', width: 10, render: (event) => <DateTime at={event.at} as="dateTime" /> },
  {
    id: 'event',
    label: 'Event',
    width: 22,
    isFixed: true,
    isGrowing: true,
    render: (event) => <EventSentence event={event} />,
  },
  { id: 'subject', label: 'Record', width: 18, narrow: 'wide', render: (event) => <SubjectLink event={event} /> },
  { id: 'number', label: 'No.', width: 5.5, align: 'end', render: (event) => formatNumber(event.sequence) },
]

/** `actions`: controls for the listed events, which are those of this query. */
type Props = { actions: (query: AuditQuery, isFiltered: boolean) => ReactNode }

export function AuditScreen({ actions }: Props) {
  const { search, set, clear } = useListSearch(parseAuditSearch)
  const queryClient = useQueryClient()
  const { timeZone } = useSession().tenant
  const query = auditQueryOf(filtersOf(search), timeZone)
  const pages = auditPages(query)

  return (
    <ListScreen
      name="audit"
      nouns={{ one: 'event', many: 'events' }}
      title="Audit"
      label="Events, newest first"
      what="the audit log"
      lead="All changes, with person, time and reason. Events cannot be changed or deleted."
      isWrapped
      actions={actions(query, isFiltered(search))}
      columns={columns}
      pages={pages}
      notices={<Verification />}
      filters={<AuditFilterBar search={search} set={set} clear={clear} />}
      clear={isFiltered(search) ? clear : null}
      empty={<Empty title="No events yet" />}
    >
      <EventDetail
        eventId={search.event ?? null}
        known={search.event === undefined ? undefined : loadedRow(queryClient, pages, search.event)}
        close={() => set({ event: undefined })}
      />
    </ListScreen>
  )
}

function EventSentence({ event }: { event: AuditEvent }) {
  const labelOf = useActionLabel()
  return (
    <>
      <Link
        from="/audit"
        search={(before) => ({ ...before, event: event.id })}
        resetScroll={false}
        className={classes.event}
      >
        <b>
          <Name of={actorOf(event)} />
        </b>{' '}
        {actionSentence(event, labelOf)}
      </Link>
      {event.reason !== null && (
        <span className={classes.reason}>
          <Name of={event.reason} />
        </span>
      )}
    </>
  )
}

function SubjectLink({ event }: { event: AuditEvent }) {
  if (event.businessId === null || event.businessName === null) return <Subject of={event} />
  return (
    <Link to="/prospects/$businessId" params={{ businessId: event.businessId }} className={classes.subject}>
      <ProspectName name={event.businessName} doNotContact={event.businessDoNotContact} />
    </Link>
  )
}
