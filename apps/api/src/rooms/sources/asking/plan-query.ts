import type { Adapter, Plan } from '@prospect/adapter-contract/adapter'
import { z } from 'zod'
import { invalidRequest } from '../../../http/validation.ts'
import { numeral } from '../../../lib/numeral.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { AdapterRef, Contract } from '../registry/contract.rules.ts'

/** Maximum numbers of one query, and the fields that it may request. */
export type Bounds = { requests: number; bytes: number; minutes: number; records: number; fields: readonly string[] }

/** An item that prevents a query, with the reason as a sentence. */
export type Stop = { item: string; reason: string }

export type PlannedQuery = {
  adapter: Adapter
  query: unknown
  settings: unknown
  plan: Extract<Plan, { kind: 'planned' }>
}

/** The plan of a query. A bound is null if the contract lacks the item that defines it. */
export type Planning = {
  planned: PlannedQuery | undefined
  bounds: { [Name in keyof Bounds]: Bounds[Name] | null }
  summaries: string[]
  stops: Stop[]
}

/** Schema of a query to a source whose adapter is not loaded. Only the contract can be checked then. */
const unloadedQuerySchema = z.strictObject({
  businessId: z.string().max(200).optional(),
  fields: z.array(z.string().min(1).max(60)).min(1).max(50),
  provinces: z.array(z.string().min(1).max(60)).max(20),
  maxRecords: z.int().min(1).max(1_000),
})

const withProvinces = z.object({ provinces: z.array(z.string()) })

const planSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('planned'),
    requests: z.array(z.object({ summary: z.string(), content: z.string().nullable() })).max(100),
    maxRequests: z.int().min(1).max(1_000),
    maxBytes: z.int().min(1),
    maxDurationMs: z.int().min(1),
    maxRecords: z.int().min(0).max(1_000),
    fields: z.array(z.string()).max(100),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string(), message: z.string() }),
])

/**
 * Plans a query against a contract, which may be incomplete. Pure: it sends and stores nothing and imports no transport. Errors: `invalid_request`
 * (the query does not match the adapter's schema).
 */
export function planQuery(ref: AdapterRef, { items }: LoadedAdapters, contract: Contract, query: unknown): Planning {
  const adapter = items.find(({ id, version }) => id === ref.id && version === ref.version)
  if (adapter === undefined) return planUnloaded(contract, query)
  const parsed = adapter.querySchema.safeParse(query)
  if (!parsed.success) throw invalidQuery(parsed.error)
  const settings = adapter.settingsSchema.safeParse(contract.settings ?? {})
  if (!settings.success)
    return stopped({ item: 'settings', reason: 'The adapter does not accept the settings of the contract.' })
  const plan = safePlan(adapter, parsed.data, settings.data)
  if (plan === undefined) return stopped({ item: 'adapter', reason: 'The adapter could not plan this query.' })
  if (plan.kind === 'refused') return stopped({ item: 'query', reason: plan.message })
  const asked = {
    fields: plan.fields,
    maxRecords: plan.maxRecords,
    provinces: withProvinces.safeParse(query).data?.provinces,
  }
  return {
    planned: { adapter, query: parsed.data, settings: settings.data, plan },
    bounds: boundsOf(contract, plan),
    summaries: plan.requests.map(({ summary }) => summary),
    stops: scopeStops(contract, asked),
  }
}

function planUnloaded(contract: Contract, query: unknown): Planning {
  const parsed = unloadedQuerySchema.safeParse(query)
  if (!parsed.success) throw invalidQuery(parsed.error)
  const { fields, maxRecords } = parsed.data
  const { maxBytes, retry } = contract
  return {
    planned: undefined,
    bounds: {
      ...boundsOf(contract, { maxRequests: 1, maxBytes: maxBytes ?? 0, maxRecords, fields }),
      bytes: maxBytes === undefined || retry === undefined ? null : maxBytes * retry.maxAttempts,
    },
    summaries: [],
    stops: scopeStops(contract, parsed.data),
  }
}

function stopped(stop: Stop): Planning {
  const bounds = { requests: null, bytes: null, minutes: null, records: null, fields: [] }
  return { planned: undefined, bounds, summaries: [], stops: [stop] }
}

/** Calls the adapter's `plan`, which is untrusted code. Returns undefined if it throws or returns an invalid plan. */
function safePlan(adapter: Adapter, query: unknown, settings: unknown): Plan | undefined {
  try {
    return planSchema.safeParse(adapter.plan({ query, settings })).data
  } catch {
    return undefined
  }
}

type Asked = Pick<Extract<Plan, { kind: 'planned' }>, 'maxRequests' | 'maxBytes' | 'maxRecords' | 'fields'>

/** Computes the bounds of a plan for the worst case: every request is retried as often as the contract allows and takes its full time limit. */
function boundsOf({ timeoutMs, maxBytes, retry, scope }: Contract, plan: Asked): Planning['bounds'] {
  const requests = retry === undefined ? null : plan.maxRequests * retry.maxAttempts
  return {
    requests,
    bytes: requests === null || maxBytes === undefined ? null : Math.min(plan.maxBytes * requests, maxBytes * requests),
    minutes: requests === null || timeoutMs === undefined ? null : Math.ceil((requests * timeoutMs) / 60_000),
    records: scope === undefined ? null : Math.min(plan.maxRecords, scope.maxRecords),
    fields: plan.fields,
  }
}

function scopeStops(
  { scope }: Contract,
  asked: { fields: readonly string[]; maxRecords: number; provinces?: readonly string[] | undefined },
): Stop[] {
  if (scope === undefined) return []
  const stops: Stop[] = []
  const stop = (reason: string) => stops.push({ item: 'scope', reason })
  const fields = asked.fields.filter((field) => !scope.fields.includes(field))
  if (fields.length > 0) stop(`The contract does not permit these fields: ${fields.join(', ')}.`)
  if (asked.maxRecords > scope.maxRecords)
    stop(`The contract permits at most ${numeral(scope.maxRecords)} records per query.`)
  const { provinces } = asked
  if (provinces === undefined || scope.provinces.length === 0) return stops
  const permitted: readonly string[] = scope.provinces
  if (provinces.length === 0) stop(`Name the provinces; the contract permits ${permitted.join(', ')}.`)
  const others = provinces.filter((province) => !permitted.includes(province))
  if (others.length > 0) stop(`The contract does not permit these provinces: ${others.join(', ')}.`)
  return stops
}

function invalidQuery(error: z.core.$ZodError) {
  return invalidRequest(error.issues.map((issue) => ({ ...issue, path: ['query', ...issue.path] })))
}
