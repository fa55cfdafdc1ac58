import { serverNow } from '../api/server-clock.ts'
import { useSession } from '../api/session.ts'
import { formatDate, formatDateTime, formatExact, formatRelative } from './format.ts'
import { useMinutes } from './minutes.ts'

type DateTimeProps = {
  at: string
  /** 'relative' (default) for recent events; 'date' or 'dateTime' where times are compared. */
  as?: 'relative' | 'date' | 'dateTime'
  className?: string | undefined
}

/** A time in the tenant's zone, with the exact time on hover. */
export function DateTime({ at, as = 'relative', className }: DateTimeProps) {
  const zone = useSession().tenant.timeZone
  useMinutes(as === 'relative')
  const text =
    as === 'date'
      ? formatDate(at, zone)
      : as === 'dateTime'
        ? formatDateTime(at, zone)
        : formatRelative(at, zone, serverNow())
  return (
    <time dateTime={at} title={formatExact(at, zone)} className={className}>
      {text}
    </time>
  )
}
