import type { Logger } from 'pino'
import { followStore } from '../../../store/change/follow-store.ts'
import type { Store } from '../../../store/store.ts'
import { getNewestSequence } from '../../audit/audit.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import { domainReevaluation } from './candidates.jobs.ts'
import { deriveFor } from './derive.ts'
import {
  EVENTS_AT_ONCE,
  findFollower,
  isFollowed,
  saveFollower,
  selectCandidateDomains,
  selectEventsAfter,
  selectObservedDomains,
  wantsReevaluation,
} from './follow.queries.ts'

/** Largest audit, in events, that is followed from its first event. For a tenant with more events a job derives the candidates instead. */
const FOLLOWED_FROM_START = 1_000

/**
 * Starts the loop that derives uses and candidates of every changed record within a second. It follows the audit, as matching does
 * (docs/decisions/matching-follows-the-audit.md). It also queues the re-evaluation of a tenant whose candidates were derived by another suffix list
 * or other rules.
 */
export function startFollowingDomains(store: Store, log: Pick<Logger, 'error'>) {
  return followStore(store, {
    name: 'domain follower',
    work: (isStopped) => followDomains(store, isStopped),
    log,
    failed: 'failed to derive the domains of changed records',
  })
}

/** Processes the audit events of every tenant up to the newest. */
export async function followDomains(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    await followTenant(store, tenantId, isStopped)
    if (!isStopped() && (await wantsReevaluation(store.reader, tenantId)))
      await ensureJob(store, domainReevaluation, { tenantId, by: 'domains' })
  })
}

async function followTenant(store: Store, tenantId: string, isStopped: () => boolean): Promise<void> {
  const newest = await getNewestSequence(store.reader, tenantId)
  const follower = await findFollower(store.reader, tenantId)
  let position = follower?.sequence ?? (newest > FOLLOWED_FROM_START ? newest : 0)
  while (!isStopped()) {
    const events = await selectEventsAfter(store.reader, tenantId, position, EVENTS_AT_ONCE)
    const last = events.at(-1)
    if (last === undefined && follower !== undefined) return
    const followed = events.filter(isFollowed)
    const businesses = new Set(followed.flatMap(({ business_id: id }) => id ?? []))
    const subjectsOf = (wanted: string) =>
      followed.flatMap(({ subject_type: type, subject_id: id }) => (type === wanted ? [id] : []))
    const domains = [
      ...(await selectObservedDomains(store.reader, tenantId, subjectsOf('dns_observation'))),
      // A decision changes what is known about the domain for other records.
      ...(await selectCandidateDomains(store.reader, tenantId, subjectsOf('domain_candidate'))),
    ]
    if (businesses.size + domains.length > 0) await deriveFor(store, tenantId, [...businesses], domains)
    position = last?.sequence ?? position
    if (businesses.size + domains.length > 0 || events.length === EVENTS_AT_ONCE || follower === undefined)
      await saveFollower(store, tenantId, {
        sequence: position,
        isFromStart: follower === undefined && newest <= FOLLOWED_FROM_START,
      })
    if (events.length < EVENTS_AT_ONCE) return
  }
}
