import { dailyQuota } from '../../store/change/quota.ts'

/** Drafts are never deleted, and each has up to 100 versions. */
export const draftQuota = dailyQuota({
  name: 'drafts_of_day',
  label: 'drafts created',
  action: 'draft.create',
  max: 1_000,
})
