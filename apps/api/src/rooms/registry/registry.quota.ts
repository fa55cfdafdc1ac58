import { dailyQuota } from '../../store/change/quota.ts'

/** The files of a round are deleted when it ends; its row with counts and hashes stays. */
export const registryRoundQuota = dailyQuota({
  name: 'registry_rounds_of_day',
  label: 'registry rounds started',
  action: 'registry_round.start',
  max: 20,
})
