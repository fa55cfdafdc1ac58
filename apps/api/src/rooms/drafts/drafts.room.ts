import type { Room } from '../room.ts'
import {
  capLimits,
  copyLimits,
  draftQuota,
  draftVersionLimit,
  legalBasisLimit,
  openDraftLimit,
  policyQuota,
  templateQuota,
} from './drafts.quota.ts'
import { endDueDrafts } from './following/draft-ends.ts'
import { draftFollower } from './following/draft-follower.ts'
import { legalBasisRoutes } from './legal-bases/legal-bases.routes.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { templateRoutes } from './templates/templates.routes.ts'
import { waitingInDrafts } from './waiting.ts'
import { draftRoutes } from './writing/drafts.routes.ts'
import { closeDrafts, erasedTables } from './writing/erase-drafts.ts'
import { heldTables } from './writing/held-drafts.ts'

export const draftRoom: Room = {
  name: 'drafts',
  routes: [draftRoutes, templateRoutes, policyRoutes, legalBasisRoutes],
  waiting: waitingInDrafts,
  quotas: [draftQuota, templateQuota, policyQuota],
  limits: copyLimits,
  recordLimits: [openDraftLimit, draftVersionLimit, legalBasisLimit],
  otherLimits: [capLimits.recipient],
  upkeep: [endDueDrafts],
  followers: ({ store, adapters }) => [draftFollower({ store, adapters })],
  holds: heldTables,
  erases: erasedTables,
  erase: async (tx, businessIds) => {
    await closeDrafts(tx, businessIds)
    return {}
  },
  sample: async (desk) => (await import('./drafts.sample.ts')).sampleDrafts(desk),
}
