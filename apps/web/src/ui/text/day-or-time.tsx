import { DateTime } from './date-time.tsx'
import { formatDay } from './format.ts'

type Props = {
  at: string
  /** The day if the time is unknown; `at` is then only the start of that day. */
  on: string | null
  as: 'date' | 'dateTime'
}

/** Time of an event, shown as a day only if nothing more exact is known. */
export function DayOrTime({ at, on, as }: Props) {
  if (on === null) return <DateTime at={at} as={as} />
  return (
    <time dateTime={on} title="Day only; time unknown">
      {formatDay(on)}
    </time>
  )
}
