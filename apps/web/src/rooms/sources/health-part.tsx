import type { SourceHealth } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { DayColumns } from '../../ui/lists/day-columns.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { formatDay, formatNumber, formatNumberIn } from '../../ui/text/format.ts'
import { workspaceLocale } from '../../ui/text/locale.ts'
import { circuitWords } from './source-words.ts'
import classes from './sources.module.css'
import { healthQuery } from './sources.queries.ts'

type Day = SourceHealth['items'][number]

/** Number of days in the table, and of columns that are wide enough to be read on a phone. */
const SHOWN = { inTable: 30, inCharts: 14 } as const

/** Charts of the last days, and the numbers of more days as a table. A day without data is omitted, not shown as zero. */
export function HealthPart({ sourceId }: { sourceId: string }) {
  const health = useQuery(healthQuery(sourceId))
  return (
    <RecordBody record={health} what="the health of this source" lines={3} isPage={false}>
      {({ items, isDegraded }) => {
        const days = items.slice(-SHOWN.inTable)
        if (days.length === 0) return <p className={classes.meta}>No query was made yet.</p>
        const charted = days.slice(-SHOWN.inCharts)
        return (
          <>
            {isDegraded === true && (
              <p role="status">The source is slow or fails often, by the limits of its contract.</p>
            )}
            <div className={classes.charts}>
              {charts.map(({ title, read, words }) => (
                <figure key={title} className={classes.chart}>
                  <figcaption>{title}</figcaption>
                  <DayColumns
                    title={title}
                    columns={charted.map((day) => ({
                      key: day.from,
                      day: day.from.slice(0, 10),
                      value: read(day),
                      words: numberWords(read(day), words),
                    }))}
                  />
                </figure>
              ))}
            </div>
            <HealthTable days={days.toReversed()} />
          </>
        )
      }}
    </RecordBody>
  )
}

type Chart = { title: string; read: (day: Day) => number | null; words?: (value: number) => string }

/** In seconds, as the contract is written. */
const seconds = (ms: number) => formatNumberIn(workspaceLocale(), ms / 1_000, 2)

const charts: readonly Chart[] = [
  { title: 'Requests a day', read: ({ requests }) => requests },
  { title: 'Failed: errors and time-outs', read: ({ errors, timeouts }) => errors + timeouts },
  { title: 'Not sent: refused by the platform itself', read: ({ refused }) => refused },
  { title: 'Median duration in seconds', read: ({ p50Ms }) => p50Ms, words: seconds },
]

const numberWords = (value: number | null, words: (value: number) => string = formatNumber) =>
  value === null ? 'No data' : words(value)

function HealthTable({ days }: { days: Day[] }) {
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
          <th scope="col">Not sent (own refusals)</th>
          <th scope="col">Median, 95 % in seconds</th>
          <th scope="col">Automatic stop</th>
          <th scope="col">Raw texts</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.from}>
            <td>{formatDay(day.from.slice(0, 10))}</td>
            <td>{formatNumber(day.requests)}</td>
            <td>{formatNumber(day.answers)}</td>
            <td>{formatNumber(day.rateLimited)}</td>
            <td>{formatNumber(day.timeouts)}</td>
            <td>{formatNumber(day.errors)}</td>
            <td>{formatNumber(day.refused)}</td>
            <td>{day.p50Ms === null ? 'No data' : `${seconds(day.p50Ms)}, ${numberWords(day.p95Ms, seconds)}`}</td>
            <td>{circuitWords[day.circuit]}</td>
            <td>{rawWords(day.raw)}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

function rawWords({ kept, deleted, failed }: Day['raw']): string {
  const parts: [number, string][] = [
    [kept, 'stored'],
    [deleted, 'deleted'],
    [failed, 'failed'],
  ]
  const some = parts.filter(([count]) => count > 0)
  return some.length === 0 ? 'None' : some.map(([count, words]) => `${formatNumber(count)} ${words}`).join(', ')
}
