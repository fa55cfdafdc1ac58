import type { SourceHealth } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { formatDay, formatNumber } from '../../ui/text/format.ts'
import { circuitWords } from './source-words.ts'
import classes from './sources.module.css'
import { healthQuery } from './sources.queries.ts'

type Day = SourceHealth['items'][number]

/** Number of days in charts and tables. */
const SHOWN = 30
const WIDTH = 160
const HEIGHT = 32

/** Charts of the last days, and the same numbers as a table. A day without data is omitted, not shown as zero. */
export function HealthPart({ sourceId }: { sourceId: string }) {
  const health = useQuery(healthQuery(sourceId))
  return (
    <RecordBody record={health} what="the health of this source" lines={3} isPage={false}>
      {({ items, isDegraded }) => {
        const days = items.slice(-SHOWN)
        if (days.length === 0) return <p className={classes.meta}>No data.</p>
        return (
          <>
            {isDegraded === true && (
              <p role="status">The source is slow or fails often, by the limits of its contract.</p>
            )}
            <div className={classes.sparks}>
              <Spark label="Requests" days={days} read={({ requests }) => requests} />
              <Spark label="Failures" days={days} read={({ errors, timeouts }) => errors + timeouts} />
              <Spark label="Median duration" days={days} read={({ p50Ms }) => p50Ms} />
            </div>
            <HealthTable days={days.toReversed()} />
          </>
        )
      }}
    </RecordBody>
  )
}

type SparkProps = { label: string; days: Day[]; read: (day: Day) => number | null }

/** Line chart with gaps where values are missing; the table below has the numbers. */
function Spark({ label, days, read }: SparkProps) {
  const values = days.map(read)
  const highest = Math.max(1, ...values.map((value) => value ?? 0))
  const step = WIDTH / Math.max(1, values.length)
  return (
    <figure className={classes.spark}>
      <figcaption className={classes.meta}>{label}</figcaption>
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        {values.map((value, at) =>
          value === null ? null : (
            <rect
              key={days[at]?.from}
              x={at * step}
              y={HEIGHT - (value / highest) * HEIGHT}
              width={Math.max(1, step - 1)}
              height={Math.max(1, (value / highest) * HEIGHT)}
              fill="currentColor"
            />
          ),
        )}
      </svg>
    </figure>
  )
}

function HealthTable({ days }: { days: Day[] }) {
  const number = (value: number | null) => (value === null ? 'No data' : formatNumber(value))
  return (
    <FixedTable look="stacked" aria-label="Health by day, newest first">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Requests</th>
          <th scope="col">Answers</th>
          <th scope="col">Deferred</th>
          <th scope="col">Time-outs</th>
          <th scope="col">Errors</th>
          <th scope="col">Not sent</th>
          <th scope="col">Median, 95 %</th>
          <th scope="col">Automatic stop</th>
          <th scope="col">Raw text stored, deleted, failed</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.from}>
            <td>{formatDay(day.from.slice(0, 10))}</td>
            <td>{number(day.requests)}</td>
            <td>{number(day.answers)}</td>
            <td>{number(day.rateLimited)}</td>
            <td>{number(day.timeouts)}</td>
            <td>{number(day.errors)}</td>
            <td>{number(day.refused)}</td>
            <td>{day.p50Ms === null ? 'No data' : `${number(day.p50Ms)}, ${number(day.p95Ms)} ms`}</td>
            <td>{circuitWords[day.circuit]}</td>
            <td>{[day.raw.kept, day.raw.deleted, day.raw.failed].map(formatNumber).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}
