import { Drawer } from '@mantine/core'
import type { AuditEvent } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useActionLabel } from '../../ui/api/audit-actions.ts'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { auditEventQuery } from './audit.queries.ts'
import classes from './audit-screen.module.css'
import { actionSentence, actorOf, differencesOf, splitTechnicalNumbers } from './audit-words.ts'
import { Differences } from './differences.tsx'
import { Subject } from './subject.tsx'
import { useSubjectLabel } from './use-subject-label.ts'

type Props = { eventId: string | null; known: AuditEvent | undefined; close: () => void }

/** Drawer with one event and its changed values. Its address can be shared. */
export function EventDetail({ eventId, known, close }: Props) {
  return (
    <Drawer
      opened={eventId !== null}
      onClose={close}
      position="right"
      size="lg"
      title="Audit event"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {eventId !== null && <Loader eventId={eventId} known={known} />}
    </Drawer>
  )
}

function Loader({ eventId, known }: { eventId: string; known: AuditEvent | undefined }) {
  const event = useQuery({ ...auditEventQuery(eventId), ...(known === undefined ? {} : { initialData: known }) })
  return (
    <RecordBody record={event} what="this event" lines={6} isPage={false}>
      {(loaded) => <Detail event={loaded} />}
    </RecordBody>
  )
}

function Detail({ event }: { event: AuditEvent }) {
  const labelOf = useActionLabel()
  const { told, numbers } = splitTechnicalNumbers(differencesOf(event, useSubjectLabel()))
  return (
    <article className={classes.detail}>
      <h2>
        <Name of={actorOf(event)} /> {actionSentence(event, labelOf)}
      </h2>
      {event.reason !== null && (
        <p className={classes.why}>
          <Name of={event.reason} />
        </p>
      )}
      <section aria-label="What changed">
        <h3>What changed</h3>
        {told.length === 0 ? (
          <p className={classes.quiet}>
            {event.erased ? 'The content of this event was erased with the record.' : 'No values changed.'}
          </p>
        ) : (
          <Differences event={event} />
        )}
      </section>
      <Facts className={classes.facts}>
        <Fact label="When">
          <DateTime at={event.at} as="dateTime" />
        </Fact>
        <Fact label="Who">
          <Name of={actorOf(event)} />
          {event.actor.kind === 'system' && ' (the system)'}
        </Fact>
        <Fact label="What">{labelOf(event.action)}</Fact>
        <Fact label="Record">
          <Subject of={event} />
          {event.businessId !== null && (
            <>
              {' · '}
              <Link to="/prospects/$businessId" params={{ businessId: event.businessId }}>
                Open prospect
              </Link>
            </>
          )}
          {' · '}
          <Link to="/audit" search={{ subjectType: event.subject.type, subjectId: event.subject.id }}>
            All its events
          </Link>
        </Fact>
        <Fact label="Number">{formatNumber(event.sequence)}</Fact>
      </Facts>
      <details className={classes.numbers}>
        <summary>Ids and fingerprints</summary>
        <Facts className={classes.facts}>
          <Fact label="Request">
            <code>{event.correlationId}</code>
          </Fact>
          <Fact label="Fingerprint">
            <code>{event.hash}</code>
          </Fact>
          <Fact label="Follows">
            <code>{event.previousHash}</code>
          </Fact>
          {numbers.map(({ path, label, before, after }) => (
            <Fact key={path} label={label}>
              <code>{[before, after].flatMap((shown) => (shown.kind === 'text' ? shown.lines : [])).join(' ')}</code>
            </Fact>
          ))}
        </Facts>
      </details>
    </article>
  )
}
