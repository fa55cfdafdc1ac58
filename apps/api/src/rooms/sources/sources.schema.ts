import { inputFieldSchema } from '@prospect/adapter-contract/declaration'
import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../http/actor-ref.ts'
import { declaredList, pageOf, pageQuery } from '../../http/pagination.ts'
import { flag, instant, line, recordId, text } from '../../http/text.ts'
import { numeral } from '../../lib/numeral.ts'
import { MAX_INTERVALS } from './health/health.rules.ts'
import { contractAnswerSchema, contractSchema, rawRetentions } from './registry/contract.rules.ts'
import { openItemNames, problems, responsibles, sourceStatuses } from './registry/status.rules.ts'
import { circuitStates, decisionKinds, desks, healthIntervals, incidentKinds } from './sources.table.ts'

/** Limits of sources and of texts about them; `docs/limits.md` lists them. */
export const limits = {
  sources: 2_000,
  slugLength: 60,
  nameLength: 100,
  descriptionLength: 1_000,
  reasonLength: 1_000,
  incidentLength: 2_000,
  membersOfADesk: 50,
} as const

export const sourceParams = z.object({ sourceId: recordId })
export const incidentParams = z.object({ sourceId: recordId, incidentId: recordId })

const reason = text(limits.reasonLength)
const adapterRef = z.strictObject({ id: line(60), version: line(40) })

export const createSourceSchema = z.strictObject({
  slug: line(limits.slugLength).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens.'),
  name: line(limits.nameLength),
  description: text(limits.descriptionLength).nullish(),
  adapter: adapterRef.describe('The entry is bound to this version of the adapter, whether it is loaded or not'),
  contract: contractSchema.default({}),
})
export type CreateSource = z.output<typeof createSourceSchema>

export const editSourceSchema = z
  .strictObject({ name: line(limits.nameLength).optional(), description: text(limits.descriptionLength).nullish() })
  .describe('A new version changes the contract')
export type EditSource = z.output<typeof editSourceSchema>

export const newVersionSchema = z.strictObject({
  basedOn: z
    .int()
    .min(1)
    .optional()
    .describe('The version that the author saw; refused when another one was saved since'),
  contract: contractSchema,
})
export type NewVersion = z.output<typeof newVersionSchema>

const fingerprint = z.string().max(64).describe('The fingerprint that the person saw')

export const approvalSchema = z
  .strictObject({
    desk: z.enum(desks),
    decision: z.enum(['approve', 'reject']),
    fingerprint,
    reason,
    endsAt: instant.optional().describe('Required to approve; at most 366 days ahead'),
  })
  .refine(({ decision, endsAt }) => decision === 'reject' || endsAt !== undefined, {
    path: ['endsAt'],
    error: 'Choose the day on which the approval ends.',
  })
export type GiveApproval = z.output<typeof approvalSchema>

export const enablementSchema = z.strictObject({
  fingerprint,
  reason,
  endsAt: instant.describe('At most 90 days ahead'),
})
export type Enable = z.output<typeof enablementSchema>

export const revocationSchema = z.strictObject({ decisionId: recordId, reason })
export const reasonSchema = z.strictObject({ reason })

const openItemSchema = z
  .object({
    item: z.enum(openItemNames),
    problem: z.enum(problems),
    responsible: z.enum(responsibles),
    since: z.string().nullable().describe('null: not recorded'),
    detail: z.string().nullable().describe('What the adapter does not accept, in sentences'),
  })
  .meta({ id: 'SourceOpenItem', description: 'A missing or expired condition, with the person who can meet it.' })

export const circuitSchema = z
  .object({
    state: z.enum(circuitStates),
    openingId: z.string().nullable().describe('The opening that a reset must name; null while closed'),
    since: z.string().nullable(),
    cause: z.string().nullable(),
    successes: z.int(),
    successesNeeded: z.int().nullable(),
  })
  .meta({ id: 'SourceCircuit' })
export type Circuit = z.infer<typeof circuitSchema>

const approvalStateSchema = z.object({
  desk: z.enum(desks),
  decisionId: z.string(),
  by: actorRefSchema,
  at: z.string(),
  endsAt: z.string(),
})

export const sourceSchema = z
  .object({
    id: z.string(),
    version: z.int(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    kind: z.enum(['built_in', 'adapter']),
    adapter: z
      .object({ id: z.string(), version: z.string(), isLoaded: z.boolean() })
      .nullable()
      .describe('null: a built-in entry, which makes no requests and needs no approval'),
    contractVersion: z.int(),
    fingerprint: z
      .string()
      .describe('Of the contract, the loaded adapter and ADAPTERS_FILE; decisions are bound to it'),
    contract: contractAnswerSchema,
    author: actorRefSchema.describe('Of the newest contract version'),
    status: z.enum(sourceStatuses),
    openItems: z.array(openItemSchema),
    approvals: z.array(approvalStateSchema).describe('Those that count'),
    enablementId: z.string().nullable(),
    enabledUntil: z.string().nullable(),
    circuit: circuitSchema,
    waitsForMe: z.boolean().describe('You can take the next step'),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    updatedAt: z.string(),
  })
  .meta({ id: 'Source' })
export type Source = z.infer<typeof sourceSchema>

export const sourcePageSchema = pageOf(sourceSchema).meta({ id: 'SourcePage' })

export const listSourcesQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(sourceStatuses).optional(),
  waitingForMe: flag.optional(),
  endsWithinDays: z
    .enum(['30'])
    .optional()
    .describe('An approval, the enablement or the review of the terms ends within this number of days'),
})
export type ListSources = z.output<typeof listSourcesQuery>

export const desksSchema = z
  .object({
    version: z.int(),
    product: z.array(personRefSchema.extend({ isActive: z.boolean() })),
    legal: z.array(personRefSchema.extend({ isActive: z.boolean() })),
    security: z.array(personRefSchema.extend({ isActive: z.boolean() })),
    updatedAt: z.string().nullable(),
  })
  .meta({ id: 'SourceDesks', description: 'The members who may approve for each desk.' })
export type Desks = z.infer<typeof desksSchema>

const members = z
  .array(recordId)
  .max(limits.membersOfADesk)
  .refine((ids) => new Set(ids).size === ids.length, 'The same member is listed twice.')
export const putDesksSchema = z.strictObject({ product: members, legal: members, security: members })
export type PutDesks = z.output<typeof putDesksSchema>

export const createIncidentSchema = z.strictObject({
  kind: z.enum(incidentKinds),
  openingId: recordId.describe('The opening of the circuit that it is about'),
  description: text(limits.incidentLength),
})
export type CreateIncident = z.output<typeof createIncidentSchema>

export const decideIncidentSchema = z.strictObject({ decision: z.enum(['approve', 'reject']), reason })
export type DecideIncident = z.output<typeof decideIncidentSchema>

export const incidentSchema = z
  .object({
    id: z.string(),
    source: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    openingId: z.string(),
    isOfCurrentOpening: z.boolean(),
    kind: z.enum(incidentKinds),
    description: z.string(),
    createdAt: z.string(),
    createdBy: actorRefSchema,
    decision: z.enum(['approve', 'reject']).nullable(),
    decisionReason: z.string().nullable(),
    decidedAt: z.string().nullable(),
    decidedBy: actorRefSchema.nullable(),
    usedAt: z.string().nullable(),
    usableUntil: z.string().describe('From then on a reset is refused'),
  })
  .meta({ id: 'SourceIncident' })
export type Incident = z.infer<typeof incidentSchema>
export const incidentPageSchema = pageOf(incidentSchema).meta({ id: 'SourceIncidentPage' })

export const circuitResetSchema = z.strictObject({ incidentId: recordId, reason })

export const healthQuery = z.strictObject({
  interval: z.enum(healthIntervals).default('minutes_5'),
  from: instant
    .optional()
    .describe(`By default the beginning of what is stored, at most ${numeral(MAX_INTERVALS)} intervals before the end`),
  to: instant.optional(),
})
export type HealthQuery = z.output<typeof healthQuery>

const milliseconds = z.int().nullable().describe('null: no request has ended')
export const healthSchema = z
  .object({
    interval: z.enum(healthIntervals),
    from: z.string().describe('Start of the range that the answer contains'),
    to: z.string(),
    isDegraded: z
      .boolean()
      .nullable()
      .describe('By the thresholds of the contract, over the whole response; null: no data'),
    items: z
      .array(
        z.object({
          from: z.string(),
          requests: z.int(),
          answers: z.int(),
          rateLimited: z.int(),
          timeouts: z.int(),
          errors: z.int(),
          refused: z
            .int()
            .describe(
              'Refused by this platform before anything was sent: a budget, the scope, the status or the circuit',
            ),
          bytes: z.int(),
          p50Ms: milliseconds,
          p95Ms: milliseconds,
          circuit: z.enum(circuitStates).describe('The worst state within'),
          raw: z.object({ kept: z.int(), deleted: z.int(), failed: z.int() }),
        }),
      )
      .max(MAX_INTERVALS)
      .describe('All of the range, oldest first. An interval without data is absent'),
  })
  .meta({ id: 'SourceHealth' })
export type Health = z.infer<typeof healthSchema>

const historyKinds = [
  'version',
  ...decisionKinds,
  'circuit',
  'incident',
  'incident_decision',
  'query',
  'dry_run',
] as const

export const historyItemSchema = z
  .object({
    id: z.string(),
    kind: z.enum(historyKinds),
    at: z.string(),
    actor: actorRefSchema,
    contractVersion: z.int().nullable(),
    desk: z.enum(desks).nullable(),
    reason: z.string().nullable(),
    endsAt: z.string().nullable(),
    revokesId: z.string().nullable(),
    items: z.array(openItemSchema.omit({ since: true, responsible: true, detail: true })).describe('Of a lapse'),
    contract: contractAnswerSchema.nullable().describe('Of a version'),
    circuit: z.enum(circuitStates).nullable(),
    outcome: z.string().nullable().describe('Of a query: answered, deferred or unavailable; null while it runs'),
    cause: z.string().nullable(),
    jobId: z.string().nullable(),
  })
  .meta({ id: 'SourceHistoryItem' })
export type HistoryItem = z.infer<typeof historyItemSchema>
export const historyPageSchema = pageOf(historyItemSchema).meta({ id: 'SourceHistoryPage' })

const adapterField = inputFieldSchema.meta({ id: 'AdapterField', description: 'An input of a form.' })

export const sourceAdapterSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    purposes: z.array(z.string()),
    answerFields: z.object({
      always: z.array(z.string()).describe('In every answer: a contract that omits one of them permits no query'),
      onRequest: z.array(z.string()).describe('Only in answers to queries that request them'),
    }),
    minRecords: z.int().describe('Records per query that a contract must permit'),
    query: z.array(adapterField).nullable().describe('null: the platform composes its queries'),
    settings: z.array(adapterField),
  })
  .meta({ id: 'SourceAdapter' })
export type SourceAdapter = z.infer<typeof sourceAdapterSchema>

export const sourceAdaptersSchema = z
  .object({ items: declaredList(sourceAdapterSchema) })
  .meta({ id: 'SourceAdapters', description: 'The loaded adapters, with what a contract of a source must contain.' })

/** Schema of a query's body. The schema of the adapter or purpose validates its content later. */
const queryBody = z.record(z.string().max(60), z.unknown())

export const dryRunRequestSchema = z.strictObject({
  contractVersion: z.int().min(1).optional().describe('The newest by default'),
  query: queryBody,
})
export type DryRunRequest = z.output<typeof dryRunRequestSchema>

export const dryRunSchema = z
  .object({
    id: z.string(),
    contractVersion: z.int(),
    planned: z.array(z.string()).describe('The planned requests, in sentences; empty while the adapter is not loaded'),
    requests: z.int().nullable().describe('Upper limit; null: the contract does not set it yet'),
    bytes: z.int().nullable(),
    minutes: z.int().nullable(),
    records: z.int().nullable(),
    fields: z.array(z.string()),
    rawRetention: z.enum(rawRetentions).nullable(),
    stoppedBy: z
      .array(z.object({ item: z.string(), reason: z.string() }))
      .describe('Empty: the query could be sent now'),
  })
  .meta({ id: 'SourceDryRun', description: 'A plan: nothing was sent, and no adapter was loaded for it.' })
export type DryRun = z.infer<typeof dryRunSchema>

export const queryRequestSchema = z.strictObject({
  purpose: z.enum(['business_records']).describe('Other purposes belong to other rooms'),
  query: z.strictObject({
    businessId: recordId,
    fields: z.array(line(60)).min(1).max(20),
    provinces: z.array(line(60)).max(20),
    maxRecords: z.int().min(1).max(1_000),
  }),
})
export type QueryRequest = z.output<typeof queryRequestSchema>

export const outcomeSchema = z
  .discriminatedUnion('outcome', [
    z.object({
      outcome: z.literal('answered'),
      isComplete: z.boolean().describe('Only a complete answer without records means "No results"'),
      records: z.int(),
      reason: z.string().nullable().describe('Why the answer is not complete'),
    }),
    z.object({ outcome: z.literal('deferred'), reason: z.string(), until: z.string().nullable() }),
    z.object({
      outcome: z.literal('unavailable'),
      reason: z.string(),
      detail: z
        .string()
        .exactOptional()
        .describe('What the contract does not permit, in sentences; for outside_scope only'),
    }),
  ])
  .meta({ id: 'SourceOutcome' })
export type StoredOutcome = z.infer<typeof outcomeSchema>

export const refusedQuerySchema = z
  .object({ queryId: z.string(), outcome: outcomeSchema })
  .meta({ id: 'RefusedSourceQuery' })
