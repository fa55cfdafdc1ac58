import type { RoomRoutes } from '../../../http/room.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { NORMALIZATION_VERSION, readDomainName, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import { type NormalizedDomain, normalizedDomainsSchema, normalizeSchema } from './names.schema.ts'

export const nameRoutes: RoomRoutes = async (app) => {
  app.post(
    '/domain-normalizations',
    {
      schema: {
        operationId: 'normalizeDomains',
        tags: ['domains'],
        summary: 'Divide values into subdomain, registrable domain and suffix; nothing is stored',
        body: normalizeSchema,
        response: { 200: normalizedDomainsSchema },
      },
      config: { permission: 'domains.read' },
    },
    async (request) => ({ items: await normalizeAll(request.body.values) }),
  )
}

async function normalizeAll(values: readonly string[]): Promise<NormalizedDomain[]> {
  const breathe = createBreather()
  const items: NormalizedDomain[] = []
  for (const raw of values) {
    await breathe()
    const versions = { normalizationVersion: NORMALIZATION_VERSION, suffixListVersion: SUFFIX_LIST_VERSION }
    items.push({ raw, ...readDomainName(raw), ...versions })
  }
  return items
}
