import { dailyQuota } from '../../store/change/quota.ts'

/** The files are deleted after a day; the rows stay. */
export const holdingQuota = dailyQuota({
  name: 'holdings_of_day',
  label: 'collections of everything held',
  action: 'holding.request',
  max: 500,
})
