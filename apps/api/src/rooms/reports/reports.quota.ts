import { dailyQuota } from '../../store/change/quota.ts'

/** Reports and their figures are never deleted. */
export const reportQuota = dailyQuota({
  name: 'reports_of_day',
  label: 'reports requested',
  action: 'report.request',
  max: 500,
})
