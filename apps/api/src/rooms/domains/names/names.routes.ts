import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { NORMALIZATION_VERSION, readDomainName, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import { type NormalizedDomain, normalizedDomainsSchema, normalizeSchema } from './names.schema.ts'

export const nameRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/domain-normalizations',
    id: 'normalizeDomains',
    summary: 'Divide values into subdomain, registrable domain and suffix; nothing is stored',
    permission: 'domains.read',
    body: normalizeSchema,
    response: normalizedDomainsSchema,
    answer: async ({ body }) => ({ items: await normalizeAll(body.values) }),
  })
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
