import type { Room } from '../room.ts'
import { draftQuota } from './drafts.quota.ts'
import { eraseDrafts } from './drafts.ts'
import { startFollowingDrafts } from './following/follow-changes.ts'
import { legalBasisRoutes } from './legal-bases/legal-bases.routes.ts'
import { eraseWithdrawals, legalBasesOfBusiness } from './legal-bases/legal-bases.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { templateRoutes } from './templates/templates.routes.ts'
import { draftRoutes } from './writing/drafts.routes.ts'

export const draftRoom: Room = {
  name: 'drafts',
  routes: [draftRoutes, templateRoutes, policyRoutes, legalBasisRoutes],
  quotas: [draftQuota],
  loops: [{ name: 'drafts', start: ({ store, adapters, log }) => startFollowingDrafts({ store, adapters }, log) }],
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
