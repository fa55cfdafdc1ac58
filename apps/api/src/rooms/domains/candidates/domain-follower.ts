import { AppError } from '../../../lib/app-error.ts'
import type { AuditFollower, Beginning, Begun } from '../../../store/change/audit-follower.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import type { Store } from '../../../store/store.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import { domainReevaluation } from './candidates.jobs.ts'
import { deriveFor } from './derive.ts'
import { followerName, isFollowed, selectCandidateDomains, selectObservedDomains } from './follow.queries.ts'
import { DERIVATION_VERSION } from './wanted.rules.ts'

/** Largest audit, in events, that is followed from its first event. For a tenant with more events a job derives the candidates instead. */
const FOLLOWED_FROM_START = 1_000

/**
 * Derives uses and candidates of every changed record within a second of its event. For a tenant whose candidates were derived by another suffix list
 * or other rules, it queues their re-evaluation, which stores the new version when it has ended.
 */
export function domainFollower(store: Store): AuditFollower {
  return {
    name: followerName,
    version: DERIVATION_VERSION,
    wants: isFollowed,
    on: async (tenantId, events) => {
      const businesses = new Set(events.flatMap(({ business_id: id }) => id ?? []))
      const subjectsOf = (wanted: string) =>
        events.flatMap(({ subject_type: type, subject_id: id }) => (type === wanted ? [id] : []))
      const domains = [
        ...(await selectObservedDomains(store.reader, tenantId, subjectsOf('dns_observation'))),
        // A decision changes what is known about the domain for other records.
        ...(await selectCandidateDomains(store.reader, tenantId, subjectsOf('domain_candidate'))),
      ]
      if (businesses.size + domains.length === 0) return false
      await deriveFor(store, tenantId, [...businesses], domains)
      return true
    },
    begin: (tenantId, beginning) => begin(store, tenantId, beginning),
  }
}

async function begin(store: Store, tenantId: string, { cause, stored, newest }: Beginning): Promise<Begun> {
  if (cause === 'new' && newest <= FOLLOWED_FROM_START) return { sequence: 0, version: DERIVATION_VERSION }
  try {
    await ensureJob(store, domainReevaluation, { tenantId, by: 'domains' })
  } catch (error) {
    // Changes are followed while the queue is full. The stored version remains another one, so the next visit of the tenant queues the job.
    if (!(error instanceof AppError && error.code === 'queue_full')) throw error
  }
  return { sequence: Math.min(stored?.sequence ?? newest, newest), version: stored?.version ?? '' }
}

/** Follows the audit of every tenant to its end. */
export function followDomains(store: Store): Promise<void> {
  return followToEnd(store, [domainFollower(store)])
}
