import type { Room } from '../room.ts'
import { assistSuggestion } from './assist.jobs.ts'
import { briefRoutes } from './brief/brief.routes.ts'
import { usageRoutes } from './budgets/usage.routes.ts'
import { policyRoutes } from './policies/policies.routes.ts'
import { statusRoutes } from './status/status.routes.ts'
import { eraseSuggestions } from './suggestions/suggestions.queries.ts'
import { suggestionRoutes } from './suggestions/suggestions.routes.ts'
import { startUpkeep } from './upkeep/upkeep.ts'

export const assistRoom: Room = {
  name: 'assist',
  routes: [briefRoutes, statusRoutes, usageRoutes, policyRoutes, suggestionRoutes],
  jobKinds: [assistSuggestion],
  loops: [{ name: 'assist', start: ({ store, adapters, log }) => startUpkeep({ store, adapters, log }) }],
  erase: async ({ db, actor: { tenantId }, at }, businessIds) => ({
    counts: { suggestions: await eraseSuggestions(db, { tenantId, businessIds, at }) },
  }),
}
