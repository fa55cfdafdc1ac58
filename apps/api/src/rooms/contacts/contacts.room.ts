import type { Room } from '../room.ts'
import { readService } from '../sources/sources.ts'
import { contactCandidateRoutes } from './candidates/candidates.routes.ts'
import { suppressionFollower } from './candidates/suppression-follower.ts'
import { contactExtraction } from './contacts.jobs.ts'
import { enablementRoutes } from './enablement/enablement.routes.ts'
import { findEnablement, readReadiness } from './enablement/enablement.ts'
import { extractionCounts } from './extractions/extractions.queries.ts'
import { extractionRoutes } from './extractions/extractions.routes.ts'
import { contactRetention } from './retention.ts'
import { erasedTables } from './upkeep/empty-candidates.ts'
import { expireCandidates, expireCandidatesOfSites } from './upkeep/expire-candidates.ts'
import { recordLapse } from './upkeep/record-lapse.ts'
import { waitingInContacts } from './waiting.ts'

export const contactRoom: Room = {
  name: 'contacts',
  routes: [enablementRoutes, extractionRoutes, contactCandidateRoutes],
  waiting: waitingInContacts,
  limits: [
    {
      name: 'extractions_of_day',
      of: 'tenant',
      per: 'day',
      label: 'extractions of contacts',
      remedy: 'Further ones are deferred. A new day begins at midnight in UTC.',
      read: async ({ store }, { tenantId, now }) => ({
        used: (await extractionCounts.read(store.reader, { tenantId, at: now })).requested,
        max: (await findEnablement(store.reader, tenantId)).limits.extractionsPerDay,
      }),
    },
  ],
  jobKinds: [contactExtraction],
  upkeep: [recordLapse, expireCandidates, expireCandidatesOfSites],
  retention: contactRetention,
  followers: ({ store }) => [suppressionFollower(store)],
  capability: async (context) => {
    const { served, because } = await readService(context, ['web_pages'], 'web pages')
    if (served.length === 0 && because === null) return {}
    const { state } = await readReadiness(context.store, context.tenantId)
    if (state !== 'enabled')
      return {
        reason:
          'Extraction is not enabled in this workspace, so no contact is extracted; an administrator enables it on a checklist.',
      }
    if (served.length === 0)
      return {
        reason: `Contacts are extracted from pages of approved official sites that people supply, and people decide on each; ${because}, so no page is fetched.`,
      }
    return {
      status: 'operational',
      reason:
        'Contacts are extracted from pages of approved official sites, which people supply or an enabled source fetches, and people decide on each.',
    }
  },
  holds: {
    extractions: {
      title: 'Contact extractions',
      permission: 'contacts.read',
      json: ['scan_ids'],
      columns: { id: 'Id', scan_ids: 'Scans', requested_at: 'Requested at', requested_by: 'Requested by' },
    },
    extraction_results: {
      title: 'Results of contact extractions',
      permission: 'contacts.read',
      by: 'extraction_id',
      of: 'extractions',
      json: ['reasons', 'not_read', 'counts'],
      columns: {
        extraction_id: 'Extraction',
        state: 'State',
        reasons: 'Reasons',
        not_read: 'Pages that were not read',
        counts: 'Counts',
        ended_at: 'Ended at',
        emptied_at: 'Emptied at',
      },
    },
    contact_candidates: {
      title: 'Contact candidates',
      permission: 'contacts.read',
      columns: { id: 'Id', kind: 'Kind', extraction_id: 'Extraction', created_at: 'Found at' },
    },
    contact_candidate_states: {
      title: 'Values of contact candidates',
      permission: 'contacts.read',
      order: 'candidate_id',
      along: 'contact_candidate_states_by_business',
      valued: { index: 'contact_candidate_states_by_value', column: 'normalized' },
      json: ['confidence'],
      columns: {
        candidate_id: 'Candidate',
        kind: 'Kind',
        state: 'State',
        value: 'Value',
        normalized: 'Normalized',
        uncertainty: 'Uncertainty',
        region: 'Country of a local number',
        domain: 'Domain',
        rule: 'Rule of the quarantine',
        confidence: 'Confidence',
        syntax: 'Syntax',
        delete_after: 'Deleted after',
        emptied_at: 'Emptied at',
      },
    },
    contact_sightings: {
      title: 'Pages with contact candidates',
      permission: 'contacts.read',
      by: 'candidate_id',
      of: 'contact_candidates',
      along: 'contact_sightings_by_candidate',
      columns: {
        id: 'Id',
        candidate_id: 'Candidate',
        page_url: 'Address of the page',
        page_title: 'Title',
        location: 'Place',
        context: 'Context',
        method: 'Method',
        result: 'Result',
        observed_at: 'Observed at',
      },
    },
    contact_decisions: {
      title: 'Decisions on contact candidates',
      permission: 'contacts.read',
      by: 'candidate_id',
      of: 'contact_candidates',
      along: 'contact_decisions_by_candidate',
      columns: {
        id: 'Id',
        candidate_id: 'Candidate',
        decision: 'Decision',
        reason: 'Reason',
        evidence_id: 'Evidence',
        at: 'At',
        actor: 'By',
      },
    },
  },
  holdsNothing: { contact_rejections: 'hashes of rejected values, which nobody can read' },
  erases: erasedTables,
  sample: async (desk) => (await import('./contacts.sample.ts')).sampleContacts(desk),
}
