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
import { eraseDrafts } from './drafts.ts'
import { endDueDrafts } from './following/draft-ends.ts'
import { draftFollower } from './following/draft-follower.ts'
import { legalBasisRoutes } from './legal-bases/legal-bases.routes.ts'
import { eraseWithdrawals, legalBasesOfBusiness } from './legal-bases/legal-bases.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { templateRoutes } from './templates/templates.routes.ts'
import { draftRoutes } from './writing/drafts.routes.ts'

export const draftRoom: Room = {
  name: 'drafts',
  routes: [draftRoutes, templateRoutes, policyRoutes, legalBasisRoutes],
  quotas: [draftQuota, templateQuota, policyQuota],
  limits: copyLimits,
  recordLimits: [openDraftLimit, draftVersionLimit, legalBasisLimit],
  otherLimits: [capLimits.recipient],
  upkeep: [endDueDrafts],
  followers: ({ store, adapters }) => [draftFollower({ store, adapters })],
  erase: async (tx, businessIds) => {
    await eraseWithdrawals(tx, businessIds)
    return {
      counts: {
        draftVersions: await eraseDrafts(tx, businessIds),
        legalBases: await legalBasesOfBusiness.erase(tx, businessIds),
      },
    }
  },
}
