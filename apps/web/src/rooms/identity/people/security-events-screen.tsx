import { type AuditEvent, listSecurityEvents } from '@prospect/api-client'
import { listSecurityEventsQueryKey } from '@prospect/api-client/query'
import { IconShieldX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useActionLabel } from '../../../ui/api/audit-actions.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useSession } from '../../../ui/api/session.ts'
import { Empty } from '../../../ui/layout/states.tsx'
import cells from '../../../ui/lists/cells.module.css'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { useListSearch } from '../../../ui/lists/use-list-search.ts'
import { pagedList } from '../../../ui/lists/visible-pages.ts'
import { isRefusal } from '../../../ui/text/account-actions.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { deviceName } from '../device.ts'
import classes from './security-events.module.css'
import { SecurityFilterBar } from './security-filter-bar.tsx'
import { parseSecuritySearch, securityQueryOf } from './security-search.ts'

const columns: readonly DataColumn<AuditEvent>[] = [
  { id: 'when', label: 'When', width: 10, render: (event) => <DateTime at={event.at} as="dateTime" /> },
  {
    id: 'what',
    label: 'Event',
    width: 18,
    isFixed: true,
    isGrowing: true,
    render: (event) => <What event={event} />,
  },
  { id: 'who', label: 'Account', width: 14, narrow: 'wide', render: (event) => <Whose event={event} /> },
  { id: 'from', label: 'From', width: 15, render: (event) => <Origin after={event.after} /> },
]

const eventPages = (query: ReturnType<typeof securityQueryOf>) =>
  pagedList(listSecurityEventsQueryKey({ query }), (page, signal) =>
    dataOf(listSecurityEvents({ query: { ...query, ...page }, signal })),
  )

export function SecurityEventsScreen() {
  const filters = useListSearch(parseSecuritySearch)
  const { search, clear } = filters
  const { timeZone } = useSession().tenant
  return (
    <ListScreen
      name="security-events"
      nouns={{ one: 'event', many: 'events' }}
      title="Security events"
      label="Security events, newest first"
      what="the security events"
      lead="Sign-ins, failed attempts, and changes of accounts, roles and workspace settings, with address and device. Nobody can change or delete these events."
      isWrapped
      columns={columns}
      pages={eventPages(securityQueryOf(search, timeZone))}
      filters={<SecurityFilterBar {...filters} />}
      clear={filters.isFiltered ? clear : null}
      empty={<Empty title="No events yet" />}
    />
  )
}

function What({ event: { id, action, after } }: { event: AuditEvent }) {
  const labelOf = useActionLabel()
  return (
    <span className={classes.what} data-refusal={isRefusal(action) || undefined}>
      {isRefusal(action) && <IconShieldX size={15} stroke={1.7} aria-hidden />}
      <Link to="/audit" search={{ event: id }}>
        {labelOf(action)}
      </Link>
      <Detail after={after} />
    </span>
  )
}

const detailWords: Record<string, string> = {
  totp: 'authenticator app',
  code: 'app code',
  enrolment: 'during setup',
  idle: 'inactive too long',
  absolute: 'maximum duration reached',
}

/** Actor of the event and, if different, the affected account. A refused attempt is shown with the account that it concerns. */
function Whose({ event: { actor, subject } }: { event: AuditEvent }) {
  const isOwn = subject.type !== 'user' || (actor.kind === 'user' && actor.id === subject.id)
  if (isOwn) return <Name of={actor.name} />
  const account = subject.name ?? 'A former colleague'
  return actor.kind === 'system' ? (
    <>
      <Name of={account} />
      <span className={cells.under}>
        <Name of={actor.name} />
      </span>
    </>
  ) : (
    <>
      <Name of={actor.name} />
      <span className={cells.under}>
        about <Name of={account} />
      </span>
    </>
  )
}

function Detail({ after }: { after: AuditEvent['after'] }) {
  const words = ['by', 'factor', 'role', 'expired'].map((key) => textIn(after, key)).filter((word) => word !== null)
  if (words.length === 0) return null
  return <span className={cells.under}>{words.map((word) => detailWords[word] ?? word).join(', ')}</span>
}

function Origin({ after }: { after: AuditEvent['after'] }) {
  const address = textIn(after, 'address')
  const agent = textIn(after, 'agent')
  if (address === null && agent === null) return <span className={cells.soft}>Not recorded</span>
  return (
    <>
      {address}
      {agent !== null && (
        <span className={cells.under} title={agent}>
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
