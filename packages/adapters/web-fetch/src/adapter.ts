import { type Adapter, type NoSettings, noSettingsSchema } from '@prospect/adapter-contract/adapter'
import { idOr, nameServerFields, readAdapterConfig } from '@prospect/adapter-contract/config'
import {
  USER_AGENT_TOKEN,
  type WebQuery,
  webPageDeclaration,
  webQuerySchema,
} from '@prospect/adapter-contract/web-page'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }

const MAX_NAME_SERVERS = 4

/** The operator's configuration in ADAPTERS_FILE. */
export type WebFetchConfig = {
  id?: string
  /** name servers to query; by default those of the system */
  nameServers?: { address: string; port?: number }[]
  /** URL of a page about the operator, for owners of web sites; sent in the User-Agent header */
  contactUrl?: string
}

const configSchema = z.strictObject({
  id: idOr('web-fetch'),
  nameServers: z
    .array(z.strictObject(nameServerFields))
    .max(MAX_NAME_SERVERS, { error: `must name at most ${MAX_NAME_SERVERS} servers.` })
    .default([]),
  contactUrl: z
    .url({ protocol: /^https?$/, error: 'must be a web address.' })
    .max(200, { error: 'must have at most 200 characters.' })
    .regex(/^[\x21-\x7e]+$/, { error: 'must be printable ASCII.' })
    .optional(),
})

/**
 * Creates an adapter that sends one GET for one page. A redirect is reported and not followed. The adapter connects to public addresses only, which
 * no setting can change. Errors: one sentence for a wrong configuration.
 */
export function webFetchAdapter(config: WebFetchConfig = {}): Adapter<WebQuery, NoSettings> {
  const { id, nameServers, contactUrl } = readAdapterConfig('web-fetch', configSchema, config)
  const userAgent = `${USER_AGENT_TOKEN}/${manifest.version}${contactUrl === undefined ? '' : ` (+${contactUrl})`}`
  return {
    id,
    version: manifest.version,
    answersFrom: 'varying_targets',
    declaration: { ...webPageDeclaration, minRecords: 1, settings: [] },
    querySchema: webQuerySchema,
    settingsSchema: noSettingsSchema,
    plan: ({ query: { url, limits } }) => ({
      kind: 'planned',
      requests: [{ summary: `GET ${url}`, content: null }],
      maxRequests: 1,
      maxBytes: limits.wireBytes,
      maxDurationMs: limits.totalMs,
      maxRecords: 1,
      fields: ['status', 'content_type', 'body'],
    }),
    load: async () => {
      const { createTransport } = await import('./transport.ts')
      return createTransport({ nameServers, userAgent })
    },
  }
}
