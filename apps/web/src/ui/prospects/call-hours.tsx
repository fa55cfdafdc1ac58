import { getContactHoursOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { serverNow } from '../api/server-clock.ts'
import { useSession } from '../api/session.ts'
import { callWords } from './contact-hours-words.ts'

const MINUTE = 60_000

type CallHoursProps = {
  /** `callCountry` of the prospect. The API has none for a prospect that is do not contact; the caller renders nothing then. */
  country: string | null
  className?: string | undefined
}

/** Whether people with numbers of a country may be called now, read again each minute. What is not known is shown as unknown. */
export function CallHours({ country, className }: CallHoursProps) {
  const { timeZone: zone } = useSession().tenant
  const { data, isError } = useQuery({
    ...getContactHoursOptions({ query: { country: country ?? '', channel: 'phone' } }),
    enabled: country !== null,
    staleTime: MINUTE / 2,
    refetchInterval: MINUTE,
  })
  if (country === null) return <span className={className}>Unknown: the country of the number is not known</span>
  if (isError) return <span className={className}>Unknown: the contact hours could not be read</span>
  if (data === undefined) return null
  return (
    <span className={className} title="As your lawyer advises: the hours are from public summaries of the law.">
      {callWords(data, { zone, now: serverNow() })}
    </span>
  )
}

/** Sentence above a list in the order of calls. */
export function CallOrder({ className }: { className?: string | undefined }) {
  return (
    <p className={className}>
      Prospects that may be called now are first, in the order of priority and follow-up. Numbers of South Africa:{' '}
      <CallHours country="ZA" />.
    </p>
  )
}
