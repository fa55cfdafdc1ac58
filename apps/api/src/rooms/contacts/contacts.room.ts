import type { Room } from '../room.ts'
import { contactCandidateRoutes } from './candidates/candidates.routes.ts'
import { contactExtraction } from './contacts.jobs.ts'
import { enablementRoutes } from './enablement/enablement.routes.ts'
import { extractionRoutes } from './extractions/extractions.routes.ts'
import { eraseContacts } from './upkeep/empty-candidates.ts'
import { startUpkeep } from './upkeep/upkeep.ts'

export const contactRoom: Room = {
  name: 'contacts',
  routes: [enablementRoutes, extractionRoutes, contactCandidateRoutes],
  jobKinds: [contactExtraction],
  loops: [{ name: 'contacts', start: ({ store, log }) => startUpkeep({ store, log }) }],
  erase: async (tx, businessIds) => ({ counts: await eraseContacts(tx, businessIds) }),
}
