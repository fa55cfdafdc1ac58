import { Title } from '@mantine/core'
import type { AuditEvent } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { DateTime } from '../../ui/date-time.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { useCan, useSession } from '../../ui/session.ts'
import { Empty, Failed, FilteredToNothing, LoadingLines, NoPermission } from '../../ui/states.tsx'
import { auditEventsQuery } from './audit.queries.ts'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import classes from './audit-screen.module.css'
import { type AuditSearch, auditQueryOf, filtersOf, isFiltered, parseAuditSearch } from './audit-search.ts'
import { deedOf, subjectName } from './audit-words.ts'
import { EventDetail } from './event-detail.tsx'
import { Verification } from './verification.tsx'

export function AuditScreen() {
  if (!useCan('audit.read')) return <NoPermission what="the audit log" />
  return <AuditLog />
}

function AuditLog() {
  // Read again: what `validateSearch` dropped still comes through the router from the routes above.
  const search = useSearch({ from: '/desk/audit', select: parseAuditSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/audit' })
  const { timeZone } = useSession().tenant
  const list = useInfiniteQuery(auditEventsQuery(auditQueryOf(filtersOf(search), timeZone)))
  const set = (next: AuditSearch) => void navigate({ search: next, replace: true, resetScroll: false })

  return (
    <div className={classes.page}>
      <title>Audit · Prospect Platform</title>
      <header className={classes.head}>
        <div>
          <Title order={1}>Audit</Title>
          <p>Who changed what, when and why. Nothing here can be changed or removed.</p>
        </div>
      </header>
      <Verification />
      <AuditFilterBar search={search} set={set} />
      {list.isPending && <LoadingLines lines={10} />}
      {list.isError && !list.data && (
        <Failed error={list.error} retry={() => void list.refetch()} what="the audit log" />
      )}
      {list.data?.items.length === 0 &&
        (isFiltered(search) ? (
          <FilteredToNothing what="events" clear={() => set({})} />
        ) : (
          <Empty title="Nothing has been recorded yet" />
        ))}
      {list.data && list.data.items.length > 0 && (
        <>
          <EventTable events={list.data.items} />
          <LoadMore what="events" {...list} data={list.data} />
        </>
      )}
      <EventDetail
        eventId={search.event ?? null}
        known={list.data?.items.find(({ id }) => id === search.event)}
        close={() => set(filtersOf(search))}
      />
    </div>
  )
}

function EventTable({ events }: { events: AuditEvent[] }) {
  return (
    <table className={classes.table}>
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
            <td className={classes.when}>
              <DateTime at={event.at} as="dateTime" />
            </td>
            <td>
              <Link
                from="/audit"
                search={(before) => ({ ...before, event: event.id })}
                resetScroll={false}
                className={classes.event}
              >
                <b>{event.actor.name}</b> {deedOf(event)}
              </Link>
              {event.reason !== null && <span className={classes.reason}>{event.reason}</span>}
            </td>
            <td className={classes.subject}>{subjectName(event.subject.type)}</td>
            <td className={classes.number}>{event.sequence}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
