import { z } from 'zod'
import { freeText } from '../../../http/hidden-fields.ts'
import { newestFirst, pageOf, pageQuery } from '../../../http/pagination.ts'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { RoomContext } from '../../room.ts'
import { readStatus } from '../status/read-status.ts'
import { type Windows, windowNames, windowsOf } from './budgets.rules.ts'
import { readReserved, readWindows, selectEntries } from './usage.queries.ts'

const usageEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['reservation', 'settlement', 'correction']),
  suggestionId: z.string().nullable(),
  tokens: z.int(),
  cost: z.int(),
  reason: freeText().nullable(),
})

const usageSchema = z
  .object({
    currency: z.string().nullable().describe('Costs are in its minor units; null without a policy'),
    tenant: z.array(z.object({ window: z.enum(windowNames), limit: z.int(), reserved: z.int(), settled: z.int() })),
    operator: z
      .array(z.object({ window: z.enum(windowNames), limit: z.int(), available: z.int() }))
      .describe('Over all workspaces; empty while the adapter is not loaded'),
    entries: pageOf(usageEntrySchema),
  })
  .meta({ id: 'AssistUsage' })

export const usageRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, cursors, adapters },
) => {
  const route = createRoutes(app, { store, tag: 'assist' })

  route.read({
    url: '/assist/usage',
    id: 'getAssistUsage',
    summary:
      'Usage against the budgets of the workspace and the limits of the server operator, with the entries behind it',
    permission: 'assist.read',
    query: z.strictObject(pageQuery),
    response: usageSchema,
    answer: async ({ actor: { tenantId }, query }) => {
      const { reader: db } = store
      const at = store.clock().toISOString()
      const { ready } = await readStatus({ db, tenantId, at, adapters })
      const entries = await newestFirst({
        store,
        tenantId,
        cursors,
        binding: ['assist-usage', tenantId],
        query,
        fetch: (before, limit) => selectEntries(db, tenantId, { before, limit }),
        count: (background) => background.selectFrom('assist_usage').select('id').where('tenant_id', '=', tenantId),
        toItem: (entry) => entry,
      })
      if (ready === undefined) return { currency: null, tenant: [], operator: [], entries }
      const { content, details, source } = ready
      const used = await readWindows(db, { tenantId }, at)
      const reserved = windowsOf(content.budgets, await readReserved(db, tenantId, at), at)
      const ofAll: Windows = await readWindows(db, { adapterId: source.adapter.id }, at)
      return {
        currency: content.prices.currency,
        tenant: windowsOf(content.budgets, used, at).map(({ window, limit: most, used: sum }, index) => {
          const open = reserved[index]?.used ?? 0
          return { window, limit: most, reserved: open, settled: Math.max(0, sum - open) }
        }),
        operator: windowsOf(details.limits, ofAll, at).map(({ window, limit: most, used: sum }) => ({
          window,
          limit: most,
          available: Math.max(0, most - sum),
        })),
        entries,
      }
    },
  })
}
