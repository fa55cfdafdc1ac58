import { type Adapter, adapterIdSchema } from '@prospect/adapter-contract/adapter'
import { idOr, nameServerFields, readAdapterConfig } from '@prospect/adapter-contract/config'
import { type DnsQuery, dnsDeclaration, dnsNameSchema, dnsQuerySchema } from '@prospect/adapter-contract/dns'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { type DnsSettings, isForbidden, MAX_DURATION_MS, MAX_MESSAGE_BYTES } from './rules.ts'

const MAX_RESOLVERS = 8
const MAX_FORBIDDEN_NAMES = 200

/** The operator's configuration in ADAPTERS_FILE. Source contracts select resolvers by name, and observations show the name. */
export type DnsConfig = {
  id?: string
  resolvers: { name: string; address: string; port?: number }[]
}

const configSchema = z.strictObject({
  id: idOr('dns'),
  resolvers: z
    .array(z.strictObject({ name: adapterIdSchema, ...nameServerFields }))
    .min(1, { error: 'must name a resolver.' })
    .max(MAX_RESOLVERS, { error: `must name at most ${MAX_RESOLVERS} resolvers.` })
    .refine((resolvers) => new Set(resolvers.map((resolver) => resolver.name)).size === resolvers.length, {
      error: 'must not use a name twice.',
    }),
})

/**
 * Queries MX, NS and TXT through the operator's resolvers. A source contract selects some of them and lists forbidden names. Errors: one sentence for
 * a wrong configuration.
 */
export function dnsAdapter(config: DnsConfig): Adapter<DnsQuery, DnsSettings> {
  const { id, resolvers } = readAdapterConfig('dns', configSchema, config)
  const settingsSchema = z.strictObject({
    resolvers: z
      .array(z.enum(resolvers.map((resolver) => resolver.name)))
      .min(1)
      .max(MAX_RESOLVERS)
      .refine((names) => new Set(names).size === names.length, { error: 'names a resolver twice.' }),
    forbiddenNames: z.array(dnsNameSchema).max(MAX_FORBIDDEN_NAMES),
  })
  return {
    id,
    version: manifest.version,
    answersFrom: 'varying_targets',
    declaration: {
      ...dnsDeclaration,
      // A truncated answer over UDP counts as a record, and so does the complete one over TCP.
      minRecords: 2,
      settings: [
        {
          name: 'resolvers',
          label: 'Resolvers',
          kind: 'list',
          options: resolvers.map((resolver) => resolver.name),
          empty: 'refused',
        },
        { name: 'forbiddenNames', label: 'Forbidden domains', kind: 'list', options: null, empty: 'none' },
      ],
    },
    querySchema: dnsQuerySchema,
    settingsSchema,
    plan: ({ query, settings }) => {
      if (isForbidden(query.name, settings.forbiddenNames))
        return {
          kind: 'refused',
          reason: 'name_forbidden',
          message: `The source forbids questions about ${query.name}.`,
        }
      const transports = query.over === 'udp' ? 2 : 1
      return {
        kind: 'planned',
        requests: [
          {
            summary: `Query ${settings.resolvers.join(' or ')} for ${query.kind} of ${query.name} over ${query.over === 'udp' ? 'UDP, and over TCP if the answer is truncated' : 'TCP'}`,
            content: null,
          },
        ],
        maxRequests: transports,
        maxBytes: transports * MAX_MESSAGE_BYTES,
        maxDurationMs: transports * MAX_DURATION_MS,
        // At most two records: a truncated answer over UDP, and the complete one over TCP.
        maxRecords: transports,
        fields: ['status', 'records', 'ttl', 'aliases'],
      }
    },
    load: async () => {
      const { createTransport } = await import('./transport.ts')
      return createTransport(resolvers)
    },
  }
}
