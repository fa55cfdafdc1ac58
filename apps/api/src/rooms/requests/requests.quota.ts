import { dailyQuota } from '../../store/change/quota.ts'

/** A request is never deleted, and people enter requests one by one. */
export const subjectRequestQuota = dailyQuota({
  name: 'subject_requests_of_day',
  label: 'subject requests entered',
  action: 'subject_request.add',
  max: 1_000,
})
