import { Title } from '@mantine/core'
import type { AcceptanceReport } from '@prospect/api-client'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, Failed, LoadingLines } from '../../ui/layout/states.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import classes from './acceptance.module.css'
import { AcceptanceGates, statusWord } from './acceptance-gates.tsx'
import { acceptanceQuery } from './health.queries.ts'

/** What the last acceptance found of a running service, for those who answer for it. */
export function AcceptanceScreen() {
  const last = useQuery(acceptanceQuery)
  return (
    <Page
      width="text"
      title="Acceptance"
      lead="What was tried of a running service, what was found, and what stands in the way of saying that it is complete."
    >
      {last.isPending && <LoadingLines lines={8} />}
      {last.isError && !last.data && (
        <Failed error={last.error} retry={() => void last.refetch()} what="the acceptance report" />
      )}
      {last.data?.report === null && (
        <Empty title="No acceptance was run here yet">
          On the server, <code>script/acceptance</code> tries this version on a store of its own and writes the report
          beside yours. <code>script/cli acceptance</code> tries the running service itself, and leaves two tenants
          there.
        </Empty>
      )}
      {last.data?.report && <Report report={last.data.report} />}
    </Page>
  )
}

function Report({ report }: { report: AcceptanceReport }) {
  const { run, gates } = report.checks
  return (
    <>
      <p className={classes.verdict} data-passed={report.passed}>
        {report.passed ? <IconCircleCheck size={22} aria-hidden /> : <IconCircleX size={22} aria-hidden />}
        <strong>{report.passed ? 'Passed' : 'Not passed'}</strong>
        <span className={classes.when}>
          <DateTime at={run.ended_at} as="dateTime" />
        </span>
      </p>
      <dl className={classes.facts}>
        <Fact name="Version" value={run.product_version} />
        <Fact name="Commit" value={run.commit} otherwise="not said" />
        <Fact name="Image digest" value={run.image_digest} otherwise="not run from an image" />
        <Fact name="Configuration" value={run.configuration_revision} />
        <Fact name="Schema" value={String(run.schema_version)} />
        <Fact name="Node" value={run.node} />
      </dl>
      <section className={classes.part} aria-labelledby="acceptance-blockers">
        <Title order={2} id="acceptance-blockers">
          What stands in the way
        </Title>
        {report.blockers.length === 0 && <p>Nothing.</p>}
        <ul className={classes.blockers}>
          {report.blockers.map(({ gate, status, reason }) => (
            <li key={`${gate} ${status} ${reason}`}>
              <strong>{gates[gate]?.title ?? wordsOf(gate)}</strong>
              <span className={classes.status}>{statusWord(status)}</span>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={classes.part} aria-labelledby="acceptance-gates">
        <Title order={2} id="acceptance-gates">
          What was tried
        </Title>
        <AcceptanceGates gates={gates} />
      </section>
      <CapacitySmoke smoke={report.capacity_smoke} />
      <section className={classes.part} aria-labelledby="acceptance-limitations">
        <Title order={2} id="acceptance-limitations">
          What it does not show
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

function Fact({ name, value, otherwise = '' }: { name: string; value: string | null; otherwise?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-unknown={value === null}>{value ?? otherwise}</dd>
    </div>
  )
}

const columns = [
  ['requests', 'Requests'],
  ['connections', 'At once'],
  ['failures', 'Failures'],
  ['per_second', 'A second'],
  ['p50_ms', 'p50 ms'],
  ['p99_ms', 'p99 ms'],
] as const

function CapacitySmoke({ smoke }: { smoke: AcceptanceReport['capacity_smoke'] }) {
  return (
    <section className={classes.part} aria-labelledby="acceptance-smoke">
      <Title order={2} id="acceptance-smoke">
        Capacity smoke
      </Title>
      <div className={classes.scroll}>
        <FixedTable className={classes.smoke} aria-label="Capacity smoke">
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
  off_host_backup: 'Backup off this host',
  image_scan: 'Scan of the images',
  memory_mb: 'Memory in MB',
}

/** `container_stack` as people write it. */
function wordsOf(name: string): string {
  const known = words[name] ?? name.replaceAll('_', ' ')
  return known.charAt(0).toUpperCase() + known.slice(1)
}
