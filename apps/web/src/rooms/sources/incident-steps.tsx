import { Button } from '@mantine/core'
import { decideSourceIncident, resetSourceCircuit, type SourceIncident } from '@prospect/api-client'
import { createContext, type ReactNode, useContext } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useIsOwn } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import classes from './sources.module.css'
import { refreshSources } from './sources.queries.ts'

type Step = { kind: 'approve' | 'reject' | 'reset'; incident: SourceIncident }

/** Provides the function that opens the dialog of a step. */
const TakeStep = createContext<(step: Step) => void>(() => {})

/** Opens the dialogs of the steps inside it: approval or rejection of an incident record, and the restart of its source. */
export function IncidentDialogs({ children }: { children: ReactNode }) {
  const taking = useDialog<Step>()
  return (
    <TakeStep value={taking.open}>
      {children}
      {taking.slot(({ kind, incident }, dialog) => (
        <DecisionDialog
          {...stepWords[kind]}
          reason="Stored with the record"
          draftName={`incident-${kind}-${incident.id}`}
          send={({ reason }, key) => sendStep({ kind, incident }, reason, key)}
          refresh={refreshSources}
          {...dialog}
        />
      ))}
    </TakeStep>
  )
}

export function incidentState({ decision, usedAt, isOfCurrentOpening, usableUntil }: SourceIncident): string {
  if (usedAt !== null) return 'Used for a reset'
  if (decision === 'reject') return 'Rejected'
  if (!isOfCurrentOpening) return 'For an earlier stop'
  if (Date.parse(usableUntil) < serverNow().getTime()) return 'Expired'
  return decision === 'approve' ? 'Approved' : 'Waiting for another person'
}

/** Buttons of the next steps of an incident record. */
export function IncidentSteps({ incident }: { incident: SourceIncident }) {
  const openStep = useContext(TakeStep)
  const canReset = useCan('sources.reset_circuit')
  const isOwn = useIsOwn(incident.createdBy)
  const words = incidentState(incident)
  if (!canReset) return null
  return (
    <span className={classes.actions}>
      {words === 'Waiting for another person' && !isOwn && (
        <>
          <Button size="xs" variant="default" onClick={() => openStep({ kind: 'approve', incident })}>
            Approve…
          </Button>
          <Button size="xs" variant="default" onClick={() => openStep({ kind: 'reject', incident })}>
            Reject…
          </Button>
        </>
      )}
      {words === 'Approved' && (
        <Button size="xs" variant="default" onClick={() => openStep({ kind: 'reset', incident })}>
          Restart source…
        </Button>
      )}
    </span>
  )
}

const stepWords = {
  approve: {
    title: 'Approve this record?',
    label: 'Approve',
    next: 'After the approval, this record permits one restart of the source.',
    done: 'Decision recorded',
  },
  reject: {
    title: 'Reject this record?',
    label: 'Reject',
    tone: 'danger',
    next: 'The source stays stopped. You can create a new record.',
    done: 'Decision recorded',
  },
  reset: {
    title: 'Restart source?',
    label: 'Restart',
    next: 'After the restart, requests are sent one at a time. The first failure stops the source again.',
    done: 'Source on probation',
  },
} as const

function sendStep({ kind, incident }: Step, reason: string, key: string): Promise<unknown> {
  const path = { sourceId: incident.source.id, incidentId: incident.id }
  return kind === 'reset'
    ? dataOf(resetSourceCircuit({ path, body: { incidentId: incident.id, reason }, ...withKey(key) }))
    : dataOf(decideSourceIncident({ path, body: { decision: kind, reason }, ...withKey(key) }))
}
