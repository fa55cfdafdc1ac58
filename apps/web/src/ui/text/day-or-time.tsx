import { DateTime } from './date-time.tsx'
import { formatDay } from './format.ts'

type Props = {
  at: string
  /** The day, where that is all that is known: `at` is then its beginning, and no hour that anybody named. */
  on: string | null
  as: 'date' | 'dateTime'
}

/** When something was, no more exactly than it is known. */
export function DayOrTime({ at, on, as }: Props) {
  if (on === null) return <DateTime at={at} as={as} />
  return (
    <time dateTime={on} title="Day only; time unknown">
      {formatDay(on)}
    </time>
  )
}
