import { dailyQuota } from '../../store/change/quota.ts'

/** Observations that people record are never deleted; each has up to 16 KiB of pasted text. */
export const observationQuota = dailyQuota({
  name: 'dns_observations_of_day',
  label: 'DNS observations recorded',
  action: 'dns_observation.record',
  max: 2_000,
})

/** Domain candidates are never deleted. Those that the platform derives are bounded by the claims of a prospect and do not count. */
export const candidateQuota = dailyQuota({
  name: 'domain_candidates_of_day',
  label: 'domains proposed by people',
  action: 'domain_candidate.propose',
  max: 2_000,
})
