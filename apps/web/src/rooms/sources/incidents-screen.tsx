import type { SourceIncident } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { By } from '../../ui/layout/facts.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { Name } from '../../ui/text/name.tsx'
import { IncidentDialogs, IncidentSteps, incidentState } from './incident-steps.tsx'
import classes from './sources.module.css'
import { incidentPages } from './sources.queries.ts'

export function IncidentsScreen() {
  return (
    <IncidentDialogs>
      <ListScreen
        name="source-incidents"
        nouns={{ one: 'record', many: 'records' }}
        title="Incidents"
        tab="Incidents · Sources"
        label="Incident and change records, newest first"
        lead="Incident and change records. To restart a stopped source, you need a record that another person approved."
        isWrapped
        columns={columns}
        pages={incidentPages}
        clear={null}
        empty={
          <Empty title="No records yet">To create a record, open the page of a stopped source under Sources.</Empty>
        }
      />
    </IncidentDialogs>
  )
}

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
        {incidentState(incident)}
        {incident.decidedBy !== null && incident.decisionReason !== null && (
          <span className={cells.under}>
            decided by <Name of={incident.decidedBy.name} />: <Name of={incident.decisionReason} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'actions',
    label: 'Actions',
    width: 13,
    narrow: 'wide',
    render: (incident) => <IncidentSteps incident={incident} />,
  },
]
