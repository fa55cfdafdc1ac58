import { Button } from '@mantine/core'
import { decideSourceIncident, resetSourceCircuit, type SourceIncident } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { createContext, useContext } from 'react'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { serverNow } from '../../ui/api/server-clock.ts'
import { useCan, useIsOwn } from '../../ui/api/session.ts'
import { DecisionDialog } from '../../ui/dialogs/decision-dialog.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { By } from '../../ui/layout/facts.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './sources.module.css'
import { incidentPages, refreshSources } from './sources.queries.ts'

type Step = { kind: 'approve' | 'reject' | 'reset'; incident: SourceIncident }

export function IncidentsScreen() {
  const taking = useDialog<Step>()
  return (
    <TakeStep value={taking.open}>
      <ListScreen
        name="source-incidents"
        nouns={{ one: 'record', many: 'records' }}
        title="Incidents"
        tab="Incidents · Sources"
        label="Incident and change records, newest first"
        lead="Incident and change records. A stopped source can only be reset with a record that another person approved."
        isWrapped
        columns={columns}
        pages={incidentPages}
        clear={null}
        empty={<Empty title="No records yet">To create one, open the page of a stopped source under Sources.</Empty>}
      >
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
      </ListScreen>
    </TakeStep>
  )
}

/** Provides the function that opens the dialog of a step. */
const TakeStep = createContext<(step: Step) => void>(() => {})

const columns: readonly DataColumn<SourceIncident>[] = [
  {
    id: 'source',
    label: 'Source',
    width: 12,
    isFixed: true,
    render: ({ source, kind }) => (
      <>
        <Link to="/sources/$sourceId" params={{ sourceId: source.id }} className={cells.name}>
          <Name of={source.name} />
        </Link>
        <span className={cells.under}>{kind === 'incident' ? 'Incident' : 'Change'}</span>
      </>
    ),
  },
  {
    id: 'description',
    label: 'Description',
    width: 20,
    isGrowing: true,
    narrow: 'wide',
    render: (incident) => (
      <>
        <span className={classes.text}>
          <Name of={incident.description} />
        </span>
        <span className={cells.under}>
          <By person={incident.createdBy} at={incident.createdAt} />
        </span>
      </>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: 14,
    narrow: 'wide',
    render: (incident) => (
      <>
        {stateWords(incident)}
        {incident.decidedBy !== null && incident.decisionReason !== null && (
          <span className={cells.under}>
            decided by <Name of={incident.decidedBy.name} />: <Name of={incident.decisionReason} />
          </span>
        )}
      </>
    ),
  },
  { id: 'actions', label: 'Actions', width: 13, narrow: 'wide', render: (incident) => <Steps incident={incident} /> },
]

function stateWords({ decision, usedAt, isOfCurrentOpening, usableUntil }: SourceIncident): string {
  if (usedAt !== null) return 'Used for a reset'
  if (decision === 'reject') return 'Rejected'
  if (!isOfCurrentOpening) return 'For an earlier stop'
  if (Date.parse(usableUntil) < serverNow().getTime()) return 'Expired'
  return decision === 'approve' ? 'Approved' : 'Waiting for another person'
}

function Steps({ incident }: { incident: SourceIncident }) {
  const openStep = useContext(TakeStep)
  const canReset = useCan('sources.reset_circuit')
  const isOwn = useIsOwn(incident.createdBy)
  const words = stateWords(incident)
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
    next: 'The source can then be restarted with it, once.',
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
    next: 'Requests are tried one at a time. The first failure stops the source again.',
    done: 'Source on probation',
  },
} as const

function sendStep({ kind, incident }: Step, reason: string, key: string): Promise<unknown> {
  const path = { sourceId: incident.source.id, incidentId: incident.id }
  return kind === 'reset'
    ? dataOf(resetSourceCircuit({ path, body: { incidentId: incident.id, reason }, ...withKey(key) }))
    : dataOf(decideSourceIncident({ path, body: { decision: kind, reason }, ...withKey(key) }))
}
