import { type ComponentProps, useMemo } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { useSession } from '../api/session.ts'
import { endDayProblem, endInstant, latestEndDay, type Term, usualEndDay } from '../text/end-day.ts'
import { formatDay } from '../text/format.ts'
import { TypedTime } from './typed-time.tsx'

type EndDay = {
  /** Initial value of the field `endsOn`; blank without a term. */
  usual: string
  /** Error of the field `endsOn`. */
  problems: (values: { endsOn: string }) => { endsOn?: string }
  /** Instant that the API receives: the end of the day in the time zone of the workspace. */
  instant: (values: { endsOn: string }) => string
  hint: string
}

/** The last day of a decision in a form with the field `endsOn`. `null`: the decision does not expire. */
export function useEndDay(term: Term | null): EndDay {
  const zone = useSession().tenant.timeZone
  const { usualDays, maxDays } = term ?? {}
  return useMemo((): EndDay => {
    const instant = ({ endsOn }: { endsOn: string }) => endInstant(endsOn, zone)
    if (usualDays === undefined) return { usual: '', problems: () => ({}), instant, hint: '' }
    const within = { usualDays, ...(maxDays !== undefined && { maxDays }) }
    return {
      usual: usualEndDay(within, serverNow(), zone),
      problems: ({ endsOn }) => {
        const problem = endDayProblem(endsOn, within, serverNow(), zone)
        return problem === null ? {} : { endsOn: problem }
      },
      instant,
      hint: `This day is included.${maxDays === undefined ? '' : ` At most ${formatDay(latestEndDay(maxDays, serverNow(), zone))}.`}`,
    }
  }, [zone, usualDays, maxDays])
}

type Props = Omit<ComponentProps<typeof TypedTime>, 'of' | 'direction' | 'label'> & { end: EndDay }

/** Input of the last day of a decision, which is included. */
export function EndDayField({ end, ...props }: Props) {
  return <TypedTime of="day" direction="future" label="Ends on" description={end.hint} required {...props} />
}
