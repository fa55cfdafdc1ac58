import { type Retention, termOf, termWithoutTime } from '../retention-term.ts'
import { deleteOldPermits, PERMITS_KEPT_DAYS } from './asking/delete-permits.ts'
import { deleteOldHealth } from './health/delete-health.ts'
import { keptDays } from './health/health.rules.ts'
import { queueRawRetention } from './records/queue-raw-retention.ts'

export const sourceRetention: readonly Retention[] = [
  {
    key: 'raw_texts',
    data: 'Raw texts of source records',
    term: termWithoutTime('per_item'),
    begins: 'From the recording. The contract of each source sets the period: none, 30, 180 or 730 days.',
    ends: 'The text is deleted. The record with its fingerprint and the reason of the deletion remain.',
    tasks: [queueRawRetention.name],
  },
  {
    key: 'source_permits',
    data: 'Permits of requests to sources',
    term: termOf(PERMITS_KEPT_DAYS, 'day'),
    begins: 'From the request.',
    ends: 'The permit is deleted. The query with its outcome remains in the audit log.',
    tasks: [deleteOldPermits.name],
  },
  {
    key: 'source_health_minutes',
    data: 'Health of sources in steps of five minutes',
    term: termOf(keptDays.minutes_5, 'day'),
    begins: 'From the step.',
    ends: 'The counts are deleted. The counts of the day remain.',
    tasks: [deleteOldHealth.name],
  },
  {
    key: 'source_health_days',
    data: 'Health of sources by day',
    term: termOf(keptDays.day, 'day'),
    begins: 'From the day.',
    ends: 'The counts are deleted.',
    tasks: [deleteOldHealth.name],
  },
]
