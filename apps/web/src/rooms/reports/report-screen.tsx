import { Button } from '@mantine/core'
import type { Report } from '@prospect/api-client'
import { createReport } from '@prospect/api-client'
import { IconPrinter, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan, useSession } from '../../ui/api/session.ts'
import { useIdempotencyKey } from '../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../ui/forms/use-is-mounted.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { reportName } from '../../ui/text/report-name.ts'
import { Figure } from './report-figure.tsx'
import { ReportProgress } from './report-progress.tsx'
import { bodyOf, questionOf, searchOf } from './report-question.ts'
import { asOfWords, filterSentence, intervalWords } from './report-words.ts'
import classes from './reports.module.css'
import { reportQuery, reportsKey } from './reports.queries.ts'

/** `actions` renders further actions for a finished report. */
export function ReportScreen({ actions }: { actions: (report: Report) => ReactNode }) {
  const { reportId } = useParams({ from: '/desk/reports/$reportId' })
  const report = useQuery(reportQuery(reportId, useCan('reports.create')))
  return (
    <RecordBody record={report} what="this report" lines={10}>
      {(loaded) => <ReportPage key={reportId} report={loaded} actions={actions} />}
    </RecordBody>
  )
}

function ReportPage({ report, actions }: { report: Report; actions: (report: Report) => ReactNode }) {
  const canCreate = useCan('reports.create')
  const { result } = report
  const print: Action = {
    id: 'print-report',
    label: 'Print this report',
    shortLabel: 'Print',
    group: 'Report',
    Icon: IconPrinter,
    keywords: 'paper pdf',
    unavailable: result === null && 'The report is not ready yet.',
    run: () => window.print(),
  }
  useActions('screen', [print])
  return (
    <Page
      width="text"
      title={<Name of={reportName(report)} />}
      tab={reportName(report)}
      back={<BackLink to="/reports">Reports</BackLink>}
      actions={
        <>
          {result !== null && <ActionButton action={print} variant="default" />}
          {result !== null && actions(report)}
          {canCreate && <AskAgain report={report} />}
        </>
      }
    >
      <Asked report={report} />
      {result === null ? (
        <ReportProgress report={report} />
      ) : (
        <>
          <div>
            {result.figures.map((figure) => (
              <Figure key={figure.key} figure={figure} asked={report} />
            ))}
          </div>
          <p className={classes.foot}>
            Made <DateTime at={result.computedAt} as="dateTime" /> from {formatNumber(result.businesses)} active
            prospects. The same settings and time always give the same figures. Fingerprint (SHA-256):{' '}
            <code>{result.figuresHash}</code> ({result.figuresVersion}).
          </p>
        </>
      )}
    </Page>
  )
}

/** Question of the report, shown above the figures that depend on it. */
function Asked({ report }: { report: Report }) {
  const people = usePeopleOptions()
  const personName = (id: string) => people.find(({ value }) => value === id)?.label ?? 'someone not listed'
  return (
    <Facts look="cards">
      <Fact label="Days">
        {intervalWords(report)}, {report.from === report.to ? 'the whole day' : 'both included'} ({report.timeZone})
      </Fact>
      <Fact label="As of">
        {asOfWords(report)}
        <span className={classes.under}>Data recorded later is not counted.</span>
      </Fact>
      <Fact label="Of">
        {filterSentence(report.filter, personName)}
        {report.filterStandsAsOf === 'computation' && (
          <span className={classes.under}>
            The filter used the values at the time of creation, not at the time above.
          </span>
        )}
      </Fact>
      <Fact label="Asked">
        <DateTime at={report.createdAt} as="dateTime" /> by <Name of={report.createdBy.name} />
      </Fact>
    </Facts>
  )
}

/** Buttons to create the report again as of now, or to change its question first. */
function AskAgain({ report }: { report: Report }) {
  const { timeZone } = useSession().tenant
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { keyFor, done } = useIdempotencyKey()
  const isHere = useIsMounted()
  const question = questionOf(report)
  const again = useMutation({
    meta: { notDone: 'Refresh report' },
    mutationFn: () => dataOf(createReport({ body: bodyOf(question), ...withKey(keyFor(question)) })),
    onSuccess: (made) => {
      done()
      void queryClient.invalidateQueries({ queryKey: reportsKey })
      if (isHere()) void navigate({ to: '/reports/$reportId', params: { reportId: made.id } })
    },
  })
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/reports/new" search={searchOf(question, timeZone)} />}
      >
        Edit
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={15} stroke={1.7} />}
        loading={again.isPending}
        onClick={() => again.mutate()}
      >
        Refresh
      </Button>
      {again.isError && (
        <p role="alert" className="pp-refusal">
          {sentenceOf(again.error)}
        </p>
      )}
    </>
  )
}
