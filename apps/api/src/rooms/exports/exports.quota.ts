import { dailyQuota } from '../../store/change/quota.ts'

/** The file of an export is deleted after a day; its row with the filter, the counts and the hash stays. */
export const exportQuota = dailyQuota({
  name: 'exports_of_day',
  label: 'exports requested',
  action: 'export.request',
  max: 500,
})
