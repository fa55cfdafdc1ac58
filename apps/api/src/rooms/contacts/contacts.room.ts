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
  erases: erasedTables,
  sample: async (desk) => (await import('./contacts.sample.ts')).sampleContacts(desk),
}
