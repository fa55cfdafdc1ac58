import type { ReportSummary } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import list from '../../ui/lists/event-list.module.css'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { isNamedByDays, reportName } from '../../ui/text/report-name.ts'
import { ReportStatus } from './report-status.tsx'
import { asOfWords, intervalWords } from './report-words.ts'
import classes from './reports.module.css'
import { isUnderWay, reportsQuery } from './reports.queries.ts'

export function ReportsScreen() {
  if (!useCan('reports.read')) return <NoPermission isPage what="reports" />
  return <Reports />
}

/** How often a list is asked for again while one of its reports is being made. */
const pollMs = 2_000

const newReport: Action = {
  id: 'new-report',
  label: 'New report',
  group: 'Create',
  Icon: IconPlus,
  keys: 'n',
  keywords: 'count figures interval',
  permission: 'reports.create',
  to: '/reports/new',
}

function Reports() {
  const reports = useInfiniteQuery({
    ...reportsQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) === true ? pollMs : false,
  })
  useActions('screen', [newReport])

  return (
    <Page
      title="Reports"
      lead="Counts over stated days, as of a stated time. Each stays as it was made."
      actions={<ActionButton action={newReport} />}
    >
      <ListBody
        list={reports}
        data={reports.data}
        noun="reports"
        empty={
          <Empty title="No report has been made yet" action={<ActionButton action={newReport} />}>
            A report counts states, moves, interactions, evidence and do not contact over the days that you choose.
          </Empty>
        }
      >
        {(items) => <ReportTable reports={items} />}
      </ListBody>
    </Page>
  )
}

function ReportTable({ reports }: { reports: ReportSummary[] }) {
  return (
    <table className={`${list.table} ${classes.reports}`} aria-label="Reports">
      <thead>
        <tr>
          <th scope="col">Report</th>
          <th scope="col">As of</th>
          <th scope="col">State</th>
          <th scope="col">Asked</th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <tr key={report.id}>
            <td>
              <Link to="/reports/$reportId" params={{ reportId: report.id }} className={classes.name}>
                <Name of={reportName(report)} />
              </Link>
              <span className={classes.under}>
                {isNamedByDays(report) ? '' : `${intervalWords(report)} · `}
                {report.timeZone}
              </span>
            </td>
            <td className={classes.asOf}>
              <span className={classes.inline}>As of </span>
              {asOfWords(report)}
            </td>
            <td>
              <ReportStatus status={report.status} />
            </td>
            <td className={classes.asked}>
              <DateTime at={report.createdAt} /> by <Name of={report.createdBy.name} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
