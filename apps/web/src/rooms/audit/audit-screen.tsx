import type { AuditEvent } from '@prospect/api-client'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { useActionLabel } from '../../ui/api/audit-actions.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import list from '../../ui/lists/event-list.module.css'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { type OnVisibleRows, useVisibleRows } from '../../ui/lists/use-visible-rows.ts'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { auditPages } from './audit.queries.ts'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import classes from './audit-screen.module.css'
import { type AuditSearch, auditQueryOf, filtersOf, isFiltered, parseAuditSearch } from './audit-search.ts'
import { actionSentence, actorOf } from './audit-words.ts'
import { EventDetail } from './event-detail.tsx'
import { Subject } from './subject.tsx'
import { Verification } from './verification.tsx'

export function AuditScreen() {
  if (!useCan('audit.read')) return <NoPermission isPage what="the audit log" />
  return <AuditLog />
}

function AuditLog() {
  // Read again: what `validateSearch` dropped still comes through the router from the routes above.
  const search = useSearch({ from: '/desk/audit', select: parseAuditSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/audit' })
  const { timeZone } = useSession().tenant
  const { list: events, rows, total, see } = useVisiblePages(auditPages(auditQueryOf(filtersOf(search), timeZone)))
  const set = (next: AuditSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })

  return (
    <Page title="Audit" lead="Who changed what, when and why. Nothing here can be changed or removed.">
      <Verification />
      <AuditFilterBar search={search} set={set} clear={clear} />
      <ListBody
        list={events}
        data={events.data && { items: rows, total }}
        noun="events"
        what="the audit log"
        lines={10}
        clear={isFiltered(search) ? clear : null}
        empty={<Empty title="Nothing has been recorded yet" />}
      >
        {(items) => <EventTable events={items} see={see} />}
      </ListBody>
      <EventDetail
        eventId={search.event ?? null}
        known={rows.find(({ id }) => id === search.event)}
        close={() => set(filtersOf(search))}
      />
    </Page>
  )
}

function EventTable({ events, see }: { events: AuditEvent[]; see: OnVisibleRows }) {
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'event', 'Audit')
  const labelOf = useActionLabel()
  return (
    <table ref={table} className={`${list.table} ${classes.table}`} aria-label="Events, newest first">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who did what</th>
          <th scope="col">Record</th>
          <th scope="col" className={classes.number}>
            No.
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className={list.when}>
              <DateTime at={event.at} as="dateTime" />
            </td>
            <td>
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
            </td>
            <td className={classes.subject}>
              {event.businessId !== null && event.businessName !== null ? (
                <Link to="/prospects/$businessId" params={{ businessId: event.businessId }}>
                  <ProspectName name={event.businessName} doNotContact={event.businessDoNotContact} />
                </Link>
              ) : (
                <Subject of={event} />
              )}
            </td>
            <td className={classes.number}>{formatNumber(event.sequence)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
