import type { ScoringRun } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRowKeys } from '../../../ui/actions/use-row-keys.ts'
import { useCan } from '../../../ui/api/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../../ui/layout/states.tsx'
import { ListBody } from '../../../ui/lists/list-body.tsx'
import { DateTime } from '../../../ui/text/date-time.tsx'
import { formatNumber } from '../../../ui/text/format.ts'
import { GivenReason } from '../../../ui/text/given-reason.tsx'
import { Name } from '../../../ui/text/name.tsx'
import classes from '../scoring.module.css'
import { isUnderWay, POLL_MS, runsQuery } from '../scoring.queries.ts'
import { ScoringNav } from '../scoring-nav.tsx'
import { RunStatusMark } from './run-status.tsx'

/** All recalculations of the workspace, newest first. */
export function RunsScreen() {
  if (!useCan('scoring.read')) return <NoPermission isPage what="recalculations" />
  return <Runs />
}

function Runs() {
  const list = useInfiniteQuery({
    ...runsQuery,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) === true ? POLL_MS : false,
  })
  return (
    <>
      <ScoringNav />
      <Page
        title="Recalculations"
        lead="Each scores every prospect by one approved version. Its scores are used once somebody activates them."
      >
        <ListBody
          list={list}
          data={list.data}
          noun="recalculations"
          empty={
            <Empty title="Nothing was recalculated yet">
              Open an approved version and choose “Recalculate”. The active scores stay until the new ones are
              activated.
            </Empty>
          }
        >
          {(items) => <RunTable runs={items} />}
        </ListBody>
      </Page>
    </>
  )
}

function RunTable({ runs }: { runs: ScoringRun[] }) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, 'recalculation', 'Scoring')
  return (
    <table ref={table} className={classes.table} aria-label="Recalculations">
      <thead>
        <tr>
          <th scope="col">Requested</th>
          <th scope="col">Version</th>
          <th scope="col">Status</th>
          <th scope="col">Prospects</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <Link to="/scoring/runs/$runId" params={{ runId: run.id }}>
                <DateTime at={run.createdAt} as="dateTime" />
              </Link>
              <span className={classes.soft}>
                by <Name of={run.actor.name} />
              </span>
            </td>
            <td>Version {run.version}</td>
            <td>
              <RunStatusMark run={run} />
            </td>
            <td>{run.counts === null ? '—' : `${formatNumber(run.counts.succeeded)} scored`}</td>
            <td className={classes.value}>
              <GivenReason of={run.reason} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
