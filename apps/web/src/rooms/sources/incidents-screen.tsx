import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { decideSourceIncident, resetSourceCircuit, type SourceIncident } from '@prospect/api-client'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { ReasonDialog } from '../../ui/dialogs/reason-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { SourceNav } from '../../ui/rooms/source-nav.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './sources.module.css'
import { incidentsQuery, refreshSources } from './sources.queries.ts'

export function IncidentsScreen() {
  if (!useCan('sources.read')) return <NoPermission isPage what="the incident records" />
  return <Incidents />
}

type Step = { kind: 'approve' | 'reject' | 'reset'; incident: SourceIncident }

function Incidents() {
  const list = useInfiniteQuery(incidentsQuery)
  const [step, setStep] = useState<Step | null>(null)
  return (
    <>
      <SourceNav />
      <Page
        title="Incidents"
        tab="Incidents · Sources"
        lead="Records of incidents and changes. A stopped source is tried again only with one that another person approved."
      >
        <ListBody
          list={list}
          data={list.data}
          noun="records"
          empty={<Empty title="No record yet">They are written on the page of a source that was stopped.</Empty>}
        >
          {(items) => (
            <ul className={classes.rows} aria-label="Incident and change records, newest first">
              {items.map((incident) => (
                <Row key={incident.id} incident={incident} take={setStep} />
              ))}
            </ul>
          )}
        </ListBody>
        <DialogSlot>
          {step !== null && <StepDialog step={step} close={() => setStep(null)} reopen={() => setStep(step)} />}
        </DialogSlot>
      </Page>
    </>
  )
}

function standing({ decision, usedAt, isOfCurrentOpening, usableUntil }: SourceIncident): string {
  if (usedAt !== null) return 'Used for a reset'
  if (decision === 'reject') return 'Rejected'
  if (!isOfCurrentOpening) return 'Of an earlier opening'
  if (Date.parse(usableUntil) < serverNow().getTime()) return 'Too old'
  return decision === 'approve' ? 'Approved' : 'Waits for another person'
}

function Row({ incident, take }: { incident: SourceIncident; take: (step: Step) => void }) {
  const canReset = useCan('sources.reset_circuit')
  const session = useSession()
  const isOwn = incident.createdBy.kind === 'user' && incident.createdBy.id === session.user.id
  const words = standing(incident)
  return (
    <li>
      <div>
        <b>{incident.kind === 'incident' ? 'Incident' : 'Change'}</b> ·{' '}
        <Link to="/sources/$sourceId" params={{ sourceId: incident.source.id }}>
          <Name of={incident.source.name} />
        </Link>{' '}
        · {words}
        <p className={classes.text}>
          <Name of={incident.description} />
        </p>
        <p className={classes.meta}>
          <Name of={incident.createdBy.name} />, <DateTime at={incident.createdAt} as="dateTime" />
          {incident.decidedBy !== null && incident.decisionReason !== null && (
            <>
              {' '}
              · decided by <Name of={incident.decidedBy.name} />: <Name of={incident.decisionReason} />
            </>
          )}
        </p>
      </div>
      {canReset && (
        <div className={classes.actions}>
          {words === 'Waits for another person' && !isOwn && (
            <>
              <Button size="xs" variant="default" onClick={() => take({ kind: 'approve', incident })}>
                Approve…
              </Button>
              <Button size="xs" variant="default" onClick={() => take({ kind: 'reject', incident })}>
                Reject…
              </Button>
            </>
          )}
          {words === 'Approved' && (
            <Button size="xs" variant="default" onClick={() => take({ kind: 'reset', incident })}>
              Reset the circuit…
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const stepWords = {
  approve: { title: 'Approve this record?', label: 'Approve', text: 'The circuit can then be reset with it, once.' },
  reject: {
    title: 'Reject this record?',
    label: 'Reject',
    text: 'The circuit stays open. A new record may be written.',
  },
  reset: {
    title: 'Reset the circuit?',
    label: 'Reset',
    text: 'Requests are tried one at a time. The first failure stops the source again.',
  },
} as const

type StepProps = { step: Step; close: () => void; reopen: () => void }

function StepDialog({ step: { kind, incident }, close, reopen }: StepProps) {
  const queryClient = useQueryClient()
  const { title, label, text } = stepWords[kind]
  const path = { sourceId: incident.source.id }
  return (
    <ReasonDialog<unknown>
      draftName={`incident-${kind}-${incident.id}`}
      title={title}
      confirmLabel={label}
      tone={kind === 'reject' ? 'danger' : 'normal'}
      description="It stays with the record"
      missing="Write a reason."
      send={(reason, key) =>
        kind === 'reset'
          ? dataOf(resetSourceCircuit({ path, body: { incidentId: incident.id, reason }, ...withKey(key) }))
          : dataOf(
              decideSourceIncident({
                path: { ...path, incidentId: incident.id },
                body: { decision: kind, reason },
                ...withKey(key),
              }),
            )
      }
      sent={() => {
        void refreshSources(queryClient)
        notifications.show({ message: kind === 'reset' ? 'The circuit is on probation.' : 'Decided.' })
        close()
      }}
      close={close}
      reopen={reopen}
    >
      <Text size="sm">{text}</Text>
    </ReasonDialog>
  )
}
