import type { ReportSummary } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { isNamedByDays, reportName } from '../../ui/text/report-name.ts'
import { ReportStatus } from './report-status.tsx'
import { asOfWords, intervalWords } from './report-words.ts'
import { reportPages } from './reports.queries.ts'

const newReport: Action = {
  id: 'new-report',
  label: 'New report',
  group: 'Create',
  Icon: IconPlus,
  keys: 'shift+n',
  keywords: 'count figures interval',
  permission: 'reports.create',
  to: '/reports/new',
}

const columns: readonly DataColumn<ReportSummary>[] = [
  {
    id: 'report',
    label: 'Report',
    width: 22,
    isFixed: true,
    isGrowing: true,
    render: (report) => (
      <>
        <Link to="/reports/$reportId" params={{ reportId: report.id }} className={cells.name}>
          <Name of={reportName(report)} />
        </Link>
        <span className={cells.under}>
          {isNamedByDays(report) ? '' : `${intervalWords(report)} · `}
          {report.timeZone}
        </span>
      </>
    ),
  },
  { id: 'asOf', label: 'As of', width: 12, render: asOfWords },
  { id: 'status', label: 'Status', width: 8, render: ({ status }) => <ReportStatus status={status} /> },
  {
    id: 'requested',
    label: 'Requested',
    width: 13,
    narrow: 'wide',
    render: (report) => (
      <span className={cells.soft}>
        <DateTime at={report.createdAt} /> by <Name of={report.createdBy.name} />
      </span>
    ),
  },
]

export function ReportsScreen() {
  useActions('screen', [newReport])
  return (
    <ListScreen
      name="reports"
      nouns={{ one: 'report', many: 'reports' }}
      title="Reports"
      label="Reports"
      lead="Counts over a period, with the data known at a chosen time. A report never changes after it was created."
      actions={<ActionButton action={newReport} />}
      isWrapped
      columns={columns}
      pages={reportPages}
      clear={null}
      empty={
        <Empty title="No reports yet" action={<ActionButton action={newReport} variant="default" />}>
          A report counts states, moves, interactions, evidence and do-not-contact marks over the days that you choose.
        </Empty>
      }
    />
  )
}
