import { Title } from '@mantine/core'
import type { AcceptanceReport, LastAcceptance } from '@prospect/api-client'
import { IconCircleCheck, IconCircleX, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import classes from './acceptance.module.css'
import { AcceptanceGates } from './acceptance-gates.tsx'
import { AcceptanceStatus } from './acceptance-status.tsx'
import { acceptanceQuery } from './health.queries.ts'

/** Shows the last acceptance report to administrators. */
export function AcceptanceScreen() {
  const last = useQuery(acceptanceQuery)
  return (
    <Page
      width="text"
      title="Acceptance"
      lead="The checks of this service, their results, and the open points before every phase can count as live."
    >
      {last.data === undefined && <NotLoaded read={last} what="the acceptance report" lines={8} />}
      {last.data?.olderReport && <OlderReport {...last.data.olderReport} />}
      {last.data && !last.data.report && !last.data.olderReport && (
        <Empty title="No acceptance run yet">
          <RunIt />
        </Empty>
      )}
      {last.data?.report && <Report report={last.data.report} />}
    </Page>
  )
}

function RunIt() {
  return (
    <>
      On the server, <code>script/acceptance</code> tests this version on a separate store and writes the report beside
      your data. <code>script/cli acceptance</code> tests the running service itself, and leaves two test workspaces
      there.
    </>
  )
}

function OlderReport({ endedAt, productVersion }: LastAcceptance['olderReport'] & object) {
  return (
    <section className={classes.part}>
      <p className={classes.verdict}>
        <IconHistory size={22} aria-hidden />
        <strong>Made by an older version</strong>
        {endedAt !== null && (
          <span className={classes.when}>
            <DateTime at={endedAt} as="dateTime" />
          </span>
        )}
      </p>
      <p>
        The last report was made by {productVersion === null ? 'an unknown version' : `version ${productVersion}`} and
        says nothing about the current version. <RunIt />
      </p>
    </section>
  )
}

function Report({ report }: { report: AcceptanceReport }) {
  const { run, gates, checklist } = report.checks
  return (
    <>
      <p className={classes.verdict} data-passed={report.passed}>
        {report.passed ? <IconCircleCheck size={22} aria-hidden /> : <IconCircleX size={22} aria-hidden />}
        <strong>{report.passed ? 'Passed' : 'Not passed'}</strong>
        <span className={classes.when}>
          <DateTime at={run.ended_at} as="dateTime" />
        </span>
      </p>
      <Facts look="cards">
        <Fact label="Version">{run.product_version}</Fact>
        <Fact label="Commit">{run.commit ?? <span className={classes.unknown}>unknown</span>}</Fact>
        <Fact label="Image fingerprint">
          {run.image_digest ?? <span className={classes.unknown}>not run from an image</span>}
        </Fact>
        <Fact label="Configuration">{run.configuration_revision}</Fact>
        <Fact label="Schema">{String(run.schema_version)}</Fact>
        <Fact label="Node">{run.node}</Fact>
        <Fact label="Connectors">{adaptersOf(run.adapters)}</Fact>
      </Facts>
      <section className={classes.part} aria-labelledby="acceptance-blockers">
        <Title order={2} id="acceptance-blockers">
          Blockers
        </Title>
        {report.blockers.length === 0 && <p>Nothing is open.</p>}
        <ul className={classes.blockers}>
          {report.blockers.map(({ gate, status, reason }) => (
            <li key={`${gate} ${status} ${reason}`}>
              <strong>{gates[gate]?.title ?? wordsOf(gate)}</strong>
              <AcceptanceStatus status={status} />
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={classes.part} aria-labelledby="acceptance-gates">
        <Title order={2} id="acceptance-gates">
          Checks by phase
        </Title>
        <AcceptanceGates gates={gates} />
      </section>
      <section className={classes.part} aria-labelledby="acceptance-checklist">
        <Title order={2} id="acceptance-checklist">
          Deployment checklist
        </Title>
        <ol className={classes.blockers}>
          {checklist.map(({ item, status, how }) => (
            <li key={item}>
              <strong>{item}</strong>
              <AcceptanceStatus status={status} />
              <span>{how}</span>
            </li>
          ))}
        </ol>
      </section>
      <CapacitySmoke smoke={report.capacity_smoke} />
      <section className={classes.part} aria-labelledby="acceptance-limitations">
        <Title order={2} id="acceptance-limitations">
          Limitations
        </Title>
        <ul className={classes.limitations}>
          {report.limitations.map((limitation) => (
            <li key={limitation}>{limitation}</li>
          ))}
        </ul>
      </section>
    </>
  )
}

function adaptersOf({ items }: AcceptanceReport['checks']['run']['adapters']): string {
  return items.length === 0 ? 'none' : items.map(({ id, version }) => `${id} ${version}`).join(', ')
}

const columns = [
  ['requests', 'Requests'],
  ['connections', 'Connections'],
  ['failures', 'Failures'],
  ['per_second', 'Per second'],
  ['p50_ms', 'p50 ms'],
  ['p99_ms', 'p99 ms'],
] as const

function CapacitySmoke({ smoke }: { smoke: AcceptanceReport['capacity_smoke'] }) {
  return (
    <section className={classes.part} aria-labelledby="acceptance-smoke">
      <Title order={2} id="acceptance-smoke">
        Load test
      </Title>
      <div className={classes.scroll}>
        <FixedTable className={classes.smoke} aria-label="Load test">
          <thead>
            <tr>
              <th scope="col">What</th>
              {columns.map(([key, label]) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(smoke.loads).map(([name, figures]) => (
              <tr key={name}>
                <th scope="row">{wordsOf(name)}</th>
                {columns.map(([key]) => (
                  <td key={key}>{figures[key] ?? '–'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </FixedTable>
      </div>
      <p className={classes.machine}>
        {Object.entries(smoke.machine)
          .map(([name, value]) => `${wordsOf(name)} ${value}`)
          .join(' · ')}
      </p>
    </section>
  )
}

const words: Record<string, string> = {
  tls: 'TLS',
  off_host_backup: 'Off-host backup',
  image_scan: 'Image scan',
  memory_mb: 'Memory in MB',
}

/** Formats an identifier: `container_stack` becomes 'Container stack'. */
function wordsOf(name: string): string {
  const known = words[name] ?? name.replaceAll('_', ' ')
  return sentenceCase(known)
}
