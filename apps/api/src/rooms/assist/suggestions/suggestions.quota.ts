import { dailyQuota } from '../../../store/change/quota.ts'

/** Suggestions are never deleted, and each stores its result. The budgets of a policy can be larger. */
export const suggestionQuota = dailyQuota({
  name: 'suggestions_of_day',
  label: 'suggestions requested',
  action: 'assist.request',
  max: 2_000,
})
