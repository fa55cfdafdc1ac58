import type { ScoringRun } from '@prospect/api-client'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../../ui/layout/states.tsx'
import cells from '../../../ui/lists/cells.module.css'
import { ListScreen } from '../../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../../ui/lists/table/table-types.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { runPages } from '../scoring.queries.ts'
import { RunStatusMark } from './run-status.tsx'

const columns: readonly DataColumn<ScoringRun>[] = [
  {
    id: 'requested',
    label: 'Requested',
    width: 14,
    isFixed: true,
    render: (run) => (
      <>
        <Link to="/scoring/runs/$runId" params={{ runId: run.id }} className={cells.name}>
          <DateTime at={run.createdAt} as="dateTime" />
        </Link>
        <span className={cells.under}>
          by <Name of={run.actor.name} />
        </span>
      </>
    ),
  },
  { id: 'version', label: 'Version', width: 8, render: (run) => `Version ${run.version}` },
  { id: 'status', label: 'Status', width: 11, render: (run) => <RunStatusMark run={run} /> },
  {
    id: 'prospects',
    label: 'Prospects',
    width: 10,
    render: ({ counts }) => (counts === null ? '–' : `${formatNumber(counts.succeeded)} scored`),
  },
  {
    id: 'reason',
    label: 'Reason',
    width: 16,
    isGrowing: true,
    narrow: 'wide',
    render: ({ reason }) => <GivenReason of={reason} />,
  },
]

/** List of all recalculations of the workspace, newest first. */
export function RunsScreen() {
  return (
    <ListScreen
      name="scoring-runs"
      nouns={{ one: 'recalculation', many: 'recalculations' }}
      title="Recalculations"
      label="Recalculations"
      lead="A recalculation scores all prospects by one approved version. Lists use the new scores after someone activates them."
      isWrapped
      columns={columns}
      pages={runPages}
      clear={null}
      empty={
        <Empty title="No recalculations yet">
          Open an approved version and choose “Recalculate”. Lists use the active scores until you activate the new
          scores.
        </Empty>
      }
    />
  )
}
