import { type AuditEvent, listSecurityEvents } from '@prospect/api-client'
import { listSecurityEventsQueryKey } from '@prospect/api-client/query'
import { IconShieldX } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRowKeys } from '../../../ui/actions/use-row-keys.ts'
import { useActionLabel } from '../../../ui/api/audit-actions.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan, useSession } from '../../../ui/api/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../../ui/layout/states.tsx'
import list from '../../../ui/lists/event-list.module.css'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { useVisiblePages } from '../../../ui/lists/use-visible-pages.ts'
import { type OnVisibleRows, useVisibleRows } from '../../../ui/lists/use-visible-rows.ts'
import { ENTRIES_PER_PAGE, keepsPlace } from '../../../ui/lists/visible-pages.ts'
import { isRefusal } from '../../../ui/text/account-actions.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { deviceName } from '../device.ts'
import classes from './security-events.module.css'
import { SecurityFilterBar } from './security-filter-bar.tsx'
import { isFiltered, type SecuritySearch, securityQueryOf } from './security-search.ts'

export function SecurityEventsScreen() {
  if (!useCan('users.manage')) return <NoPermission isPage what="the security events" />
  return <SecurityEvents />
}

function SecurityEvents() {
  const search = useSearch({ from: '/desk/settings/security-events' })
  const navigate = useNavigate({ from: '/settings/security-events' })
  const { timeZone } = useSession().tenant
  const query = securityQueryOf(search, timeZone)
  const {
    list: events,
    rows,
    total,
    see,
  } = useVisiblePages<AuditEvent>({
    queryKey: listSecurityEventsQueryKey({ query }),
    readPage: (page, signal) => dataOf(listSecurityEvents({ query: { ...query, ...page }, signal })),
    limit: ENTRIES_PER_PAGE,
    placeOf: keepsPlace,
  })
  const set = (next: SecuritySearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })
  return (
    <Page
      title="Security events"
      lead="Every sign-in, refusal and change of an account, with the address and the device. Part of the audit log: nothing here can be changed or removed."
    >
      <SecurityFilterBar search={search} set={set} clear={clear} />
      <ListBody
        list={events}
        data={events.data && { items: rows, total }}
        noun="events"
        what="the security events"
        lines={10}
        clear={isFiltered(search) ? clear : null}
        empty={<Empty title="Nothing has been recorded yet" />}
      >
        {(items) => <EventTable events={items} see={see} />}
      </ListBody>
    </Page>
  )
}

function EventTable({ events, see }: { events: AuditEvent[]; see: OnVisibleRows }) {
  const table = useRef<HTMLTableElement>(null)
  useVisibleRows(table, see)
  useRowKeys(table, 'event', 'Security events')
  const labelOf = useActionLabel()
  return (
    <table ref={table} className={`${list.table} ${classes.table}`} aria-label="Security events, newest first">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Who</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className={`${list.when} ${classes.when}`}>
              <DateTime at={event.at} as="dateTime" />
            </td>
            <td className={classes.what} data-refusal={isRefusal(event.action) || undefined}>
              {isRefusal(event.action) && <IconShieldX size={15} stroke={1.7} aria-hidden />}
              <Link to="/audit" search={{ event: event.id }}>
                {labelOf(event.action)}
              </Link>
              <Detail after={event.after} />
            </td>
            <td className={classes.who}>
              <Whose event={event} />
            </td>
            <td className={classes.from}>
              <Origin after={event.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const detailWords: Record<string, string> = {
  totp: 'authenticator app',
  code: 'code of the app',
  enrolment: 'while setting it up',
  idle: 'not used for too long',
  absolute: 'at its longest time',
}

/** Who did it and, where that is somebody else, to whose account. A refusal is told by the account that it is about. */
function Whose({ event: { actor, subject } }: { event: AuditEvent }) {
  const isOwn = subject.type !== 'user' || (actor.kind === 'user' && actor.id === subject.id)
  if (isOwn)
    return (
      <span>
        <Name of={actor.name} />
      </span>
    )
  const account = subject.name ?? 'A person who is not here now'
  return actor.kind === 'system' ? (
    <>
      <span>
        <Name of={account} />
      </span>
      <span className={classes.device}>
        <Name of={actor.name} />
      </span>
    </>
  ) : (
    <>
      <span>
        <Name of={actor.name} />
      </span>
      <span className={classes.device}>
        about <Name of={account} />
      </span>
    </>
  )
}

function Detail({ after }: { after: AuditEvent['after'] }) {
  const words = ['by', 'factor', 'role', 'expired'].map((key) => textIn(after, key)).filter((word) => word !== null)
  if (words.length === 0) return null
  return <span className={classes.device}>{words.map((word) => detailWords[word] ?? word).join(', ')}</span>
}

function Origin({ after }: { after: AuditEvent['after'] }) {
  const address = textIn(after, 'address')
  const agent = textIn(after, 'agent')
  if (address === null && agent === null) return <span className={classes.none}>Not recorded</span>
  return (
    <>
      {address !== null && <span>{address}</span>}
      {agent !== null && (
        <span className={classes.device} title={agent}>
          {deviceName(agent)}
        </span>
      )}
    </>
  )
}

function textIn(body: unknown, key: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value = Object.entries(body).find(([name]) => name === key)?.[1]
  return typeof value === 'string' && value !== '' ? value : null
}
