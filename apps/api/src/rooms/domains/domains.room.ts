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
  holds: {
    domain_uses: {
      title: 'Domains of the contact values',
      permission: 'domains.read',
      along: 'domain_uses_by_business',
      order: null,
      json: ['hosts'],
      columns: { domain: 'Domain', hosts: 'Hosts', by_record: 'On the record', by_email: 'Of an email address' },
    },
    domain_candidates: {
      title: 'Domain candidates',
      permission: 'domains.read',
      columns: {
        id: 'Id',
        domain: 'Domain',
        host: 'Host',
        origin: 'Origin',
        reason: 'Reason',
        previous_id: 'Earlier candidate',
        created_at: 'At',
        created_by: 'By',
      },
    },
    domain_candidate_states: {
      title: 'States of domain candidates',
      permission: 'domains.read',
      by: 'candidate_id',
      of: 'domain_candidates',
      json: ['evaluation'],
      columns: {
        candidate_id: 'Candidate',
        domain: 'Domain',
        state: 'State',
        evaluation: 'Evaluation',
        evaluated_at: 'Evaluated at',
        decided_at: 'Decided at',
        decided_by: 'Decided by',
        decision_reason: 'Reason',
        withdrawn_at: 'Withdrawn at',
        withdrawn_by: 'Withdrawn by',
        withdrawal_reason: 'Reason of the withdrawal',
      },
    },
    domain_associations: {
      title: 'Accepted domains',
      permission: 'domains.read',
      columns: { id: 'Id', domain: 'Domain', candidate_id: 'Candidate', created_at: 'At', created_by: 'By' },
    },
  },
  holdsNothing: { domain_records: 'a label that is derived from the name of the record' },
  erases: erasedTables,
  sample: async (desk) => (await import('./domains.sample.ts')).sampleDomains(desk),
}
