import { daysOrNone } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { manualRetentionDays, readService } from '../sources/sources.ts'
import { availabilityRoutes } from './availability/availability.routes.ts'
import { ageCandidates } from './candidates/age-candidates.ts'
import { domainCandidates, domainReevaluation } from './candidates/candidates.jobs.ts'
import { candidateRoutes } from './candidates/candidates.routes.ts'
import { domainFollower } from './candidates/domain-follower.ts'
import { rejectionRoutes } from './candidates/rejections.routes.ts'
import { dnsCheck } from './dns/check-job.ts'
import { deleteTexts } from './dns/delete-texts.ts'
import { dnsRoutes, pastedSize } from './dns/dns.routes.ts'
import { candidateQuota, observationQuota } from './domains.quota.ts'
import { erasedTables, eraseObservations } from './erase-domains.ts'
import { domainRoutes } from './list/domains.routes.ts'
import { nameRoutes } from './names/names.routes.ts'
import { waitingInDomains } from './waiting.ts'

export const domainRoom: Room = {
  name: 'domains',
  routes: [nameRoutes, domainRoutes, dnsRoutes, candidateRoutes, rejectionRoutes, availabilityRoutes],
  waiting: waitingInDomains,
  quotas: [observationQuota, candidateQuota],
  otherLimits: [pastedSize],
  jobKinds: [dnsCheck, domainCandidates, domainReevaluation],
  upkeep: [deleteTexts, ageCandidates],
  retention: [
    {
      key: 'dns_texts',
      data: 'Pasted answers of DNS tools',
      term: async ({ store, tenantId }) => daysOrNone(await manualRetentionDays(store.reader, tenantId)),
      begins: 'From the recording. The source for manual references sets the period.',
      ends: 'The text is deleted. The observation and the fingerprint of the text remain.',
      tasks: [deleteTexts.name],
    },
  ],
  followers: ({ store }) => [domainFollower(store)],
  capability: async (context) => {
    const { served, because } = await readService(context, ['dns'], 'DNS')
    const unknown = 'no provider of availability exists, so availability is unknown'
    if (served.length > 0)
      return {
        status: 'operational',
        reason: `Domains are normalized by a pinned suffix list, and an enabled source serves DNS queries; ${unknown}.`,
      }
    if (because === null) return {}
    return {
      reason: `Domains are normalized by a pinned suffix list and DNS output is recorded by hand; ${because}, so no DNS query is sent; ${unknown}.`,
    }
  },
  erase: async (tx, businessIds) => ({ counts: { dnsObservations: await eraseObservations(tx, businessIds) } }),
  erases: erasedTables,
  sample: async (desk) => (await import('./domains.sample.ts')).sampleDomains(desk),
}
