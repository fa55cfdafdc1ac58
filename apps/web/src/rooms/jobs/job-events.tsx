import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../ui/api/session.ts'
import type { Followed } from '../../ui/jobs/follow-job.ts'
import { LoadingLines } from '../../ui/layout/states.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { formatDateTime, formatExact, formatNumber } from '../../ui/text/format.ts'
import { eventLines, eventWords, formatDuration } from './job-words.ts'
import classes from './jobs.module.css'

const SHOWN = 50

/** List of a job's events, newest first, with the time since the first one. Consecutive progress events share a line. */
export function JobEvents({ followed: { events, forgotten, state } }: { followed: Followed }) {
  const [isWhole, setWhole] = useState(false)
  const { timeZone } = useSession().tenant
  const begun = Date.parse(events[0]?.at ?? '')
  const lines = eventLines(events).toReversed()
  const shown = isWhole ? lines : lines.slice(0, SHOWN)
  return (
    <section aria-labelledby="events" className={classes.events}>
      <h2 id="events">Events</h2>
      {events.length === 0 && state === 'connecting' && <LoadingLines lines={3} />}
      <ol>
        {shown.map(({ event, from }) => (
          <li key={from} data-type={event.type}>
            <span className={`${classes.sequence} pp-figures`}>
              {from === event.sequence ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(event.sequence)}`}
            </span>
            <span>{eventWords(event)}</span>
            <time dateTime={event.at} title={formatExact(event.at, timeZone)} className={classes.at}>
              {from === 1 || forgotten > 0
                ? formatDateTime(event.at, timeZone)
                : `after ${formatDuration(Date.parse(event.at) - begun)}`}
            </time>
          </li>
        ))}
      </ol>
      {forgotten > 0 && (
        <p className={classes.forgotten}>
          The first {countWords(forgotten, 'event is', 'events are')} no longer stored. The result of the job is still
          stored.
        </p>
      )}
      {lines.length > shown.length && (
        <Button variant="default" onClick={() => setWhole(true)}>
          Show all {formatNumber(lines.length)}
        </Button>
      )}
    </section>
  )
}
