import type { ScoringFailure, ScoringRun } from '@prospect/api-client'
import { IconArrowBackUp, IconStar } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ActionButton } from '../../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../../ui/actions/actions.ts'
import { useCan } from '../../../ui/api/session.ts'
import { useDialog } from '../../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../../ui/layout/back-link.tsx'
import { Fact, Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty } from '../../../ui/layout/states.tsx'
import { FixedTable } from '../../../ui/lists/fixed-table.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { RecordBody } from '../../../ui/lists/record-body.tsx'
import { activeScoringQuery } from '../../../ui/prospects/active-scoring.ts'
import { ProspectName } from '../../../ui/prospects/prospect-name.tsx'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import { JobProgress } from '../previews/job-progress.tsx'
import classes from '../scoring.module.css'
import { failuresQuery, isUnderWay, ruleSetQuery, runPermission, runQuery } from '../scoring.queries.ts'
import { ActivateDialog } from './activate-dialog.tsx'
import { RunStatusMark } from './run-status.tsx'
import { standingWords } from './run-words.ts'

/** Page of a recalculation: progress, counts, failures, audit, and activation of its scores. */
export function RunScreen() {
  const { runId } = useParams({ from: '/desk/scoring/runs/$runId' })
  const run = useQuery(runQuery(runId, useCan(runPermission)))
  return (
    <RecordBody record={run} what="this recalculation" lines={10}>
      {(loaded) => <RunPage key={runId} run={loaded} />}
    </RecordBody>
  )
}

function RunPage({ run }: { run: ScoringRun }) {
  const active = useQuery(activeScoringQuery)
  const ruleSet = useQuery(ruleSetQuery(run.ruleSetId)).data
  const activating = useDialog()
  const hasEnded = run.status === 'complete' || run.status === 'partial'
  const isRollback = run.supersededAt !== null
  const activate: Action = {
    id: 'scoring.activate',
    label: isRollback ? 'Roll back to these scores' : 'Activate these scores',
    shortLabel: isRollback ? 'Roll back' : 'Activate',
    group: 'Recalculation',
    Icon: isRollback ? IconArrowBackUp : IconStar,
    permission: 'scoring.recalculate',
    asksMore: true,
    unavailable:
      run.isActive || !hasEnded
        ? true
        : !run.isKept
          ? 'These scores are no longer stored. Recalculate with the same version again.'
          : active.data === undefined && 'Loading the active scores.',
    run: () => activating.open(),
  }
  useActions('screen', [activate])
  return (
    <Page
      width="text"
      title={`Recalculation by version ${run.version}`}
      lead={
        <p>
          <RunStatusMark run={run} /> {standingWords(run)}
        </p>
      }
      back={<BackLink to="/scoring/runs">Recalculations</BackLink>}
      actions={<ActionButton action={activate} iconSize={16} />}
    >
      <div className={classes.stack}>
        {isUnderWay(run) && <JobProgress jobId={run.jobId} label="The recalculation" permission={runPermission} />}
        {run.stoppedBecause !== null && <p className={classes.danger}>{run.stoppedBecause}</p>}
        <RunFacts run={run} ruleSetName={ruleSet?.name ?? null} />
        {run.counts !== null && <Counts counts={run.counts} />}
      </div>
      {(run.counts?.failed ?? 0) > 0 && <Failures run={run} />}
      {activating.slot((_, dialog) => (
        <ActivateDialog run={run} active={active.data?.active ?? null} {...dialog} />
      ))}
    </Page>
  )
}

function RunFacts({ run, ruleSetName }: { run: ScoringRun; ruleSetName: string | null }) {
  const canSeeJob = useCan('jobs.read')
  return (
    <Facts>
      <Fact label="Version">
        <Link
          to="/scoring/rule-sets/$ruleSetId/versions/$version"
          params={{ ruleSetId: run.ruleSetId, version: String(run.version) }}
        >
          Version {run.version}
          {ruleSetName !== null && (
            <>
              {' '}
              of <Name of={ruleSetName} />
            </>
          )}
        </Link>
      </Fact>
      <Fact label="Requested">
        <DateTime at={run.createdAt} as="dateTime" /> by <Name of={run.actor.name} />:{' '}
        <GivenReason of={run.reason} isQuoted />
      </Fact>
      {run.cutoff !== null && (
        <Fact label="State of the records">
          <DateTime at={run.cutoff.at} as="dateTime" />, up to audit event {formatNumber(run.cutoff.sequence)}
        </Fact>
      )}
      {run.endedAt !== null && (
        <Fact label="Ended">
          <DateTime at={run.endedAt} as="dateTime" />
        </Fact>
      )}
      {run.activatedAt !== null && (
        <Fact label="Activated">
          <DateTime at={run.activatedAt} as="dateTime" />
          {run.supersededAt !== null && (
            <>
              , replaced <DateTime at={run.supersededAt} as="dateTime" />
            </>
          )}
        </Fact>
      )}
      {run.readBack !== null && (
        <Fact label="Audit">
          {countWords(run.readBack.events, 'event', 'events')} found in the audit log,{' '}
          {run.readBack.complete ? 'complete' : 'not complete'}
        </Fact>
      )}
      {run.algorithmVersion !== null && <Fact label="Algorithm">{run.algorithmVersion}</Fact>}
      {run.digest !== null && (
        <Fact label="Fingerprint of the scores">
          <code>{run.digest}</code>
        </Fact>
      )}
      {canSeeJob && (
        <Fact label="Job">
          <Link to="/jobs/$jobId" params={{ jobId: run.jobId }}>
            Open the job
          </Link>
        </Fact>
      )}
    </Facts>
  )
}

function Counts({ counts }: { counts: NonNullable<ScoringRun['counts']> }) {
  const rows = [
    ['Read', counts.processed],
    ['Scored', counts.succeeded],
    ['Do not contact', counts.blocked],
    ['Eligibility unknown', counts.unknown],
    ['Not scored', counts.failed],
  ] as const
  return (
    <FixedTable className={classes.counts}>
      <caption>Prospects</caption>
      <tbody>
        {rows.map(([label, count]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-number>{formatNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

function Failures({ run }: { run: ScoringRun }) {
  const list = useInfiniteQuery(failuresQuery(run.id))
  return (
    <section aria-labelledby="failures">
      <h2 id="failures" className={classes.part}>
        Not scored
      </h2>
      <ListBody list={list} data={list.data} noun="failures" lines={4} empty={<Empty title="No failures" />}>
        {(items) => <FailureTable failures={items} />}
      </ListBody>
    </section>
  )
}

function FailureTable({ failures }: { failures: ScoringFailure[] }) {
  return (
    <FixedTable look="stacked" className={classes.table} aria-label="Not scored">
      <thead>
        <tr>
          <th scope="col">Prospect</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {failures.map(({ businessId, name, doNotContact, reason }) => (
          <tr key={businessId}>
            <td>
              <Link to="/prospects/$businessId" params={{ businessId }}>
                <ProspectName name={name} doNotContact={doNotContact} />
              </Link>
            </td>
            <td className={classes.value}>{reason}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}
