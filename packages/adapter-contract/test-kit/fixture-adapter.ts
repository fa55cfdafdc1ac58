import { z } from 'zod'
import type { Adapter, RequestInput, TransportResult } from '../src/adapter.ts'
import {
  type BusinessRecord,
  type BusinessRecordsQuery,
  businessRecordsDeclaration,
  businessRecordsQuerySchema,
} from '../src/business-records.ts'

/*
 * An adapter without a network, for tests of the API. It returns business records from a script and records every request. Its faults are the
 * transport faults that the API must tolerate.
 */

type Input = RequestInput<BusinessRecordsQuery, FixtureSettings>
type Result = TransportResult<BusinessRecordsQuery, BusinessRecord, null>
/**
 * Function that returns the result of a request. `call` counts from 1. A script may violate every rule of a transport, because tests need such
 * transports.
 */
export type FixtureScript = (input: Input, call: number) => unknown

const settingsSchema = z.strictObject({ region: z.enum(['north', 'south']) })
type FixtureSettings = z.infer<typeof settingsSchema>

export type Fixture = {
  adapter: Adapter<BusinessRecordsQuery, FixtureSettings>
  /** inputs of the calls of `request` */
  requests: readonly Input[]
  /** number of calls of `load` */
  loads(): number
}

type Options = Partial<Pick<Adapter, 'id' | 'version' | 'answersFrom'>> & {
  script?: FixtureScript
  /** maximum number of requests of a query */
  maxRequests?: number
}

/** Creates an adapter that returns one record, unless a script returns something else. */
export function fixtureAdapter(options: Options = {}): Fixture {
  const { id = 'fixture', version = '1.0.0', answersFrom = 'one_provider', maxRequests = 1 } = options
  const script = options.script ?? (() => answer([fixtureRecord()]))
  const requests: Input[] = []
  let loads = 0
  const adapter: Fixture['adapter'] = {
    id,
    version,
    answersFrom,
    declaration: {
      ...businessRecordsDeclaration(['name', 'phone', 'email', 'industry']),
      minRecords: 1,
      settings: [{ name: 'region', label: 'Region', kind: 'choice', options: ['north', 'south'] }],
    },
    querySchema: businessRecordsQuerySchema,
    settingsSchema,
    plan: ({ query, settings }) => ({
      kind: 'planned',
      requests: [{ summary: `Request ${query.maxRecords} records from the ${settings.region} fixture`, content: null }],
      maxRequests,
      maxBytes: 10_000,
      maxDurationMs: 1_000,
      maxRecords: query.maxRecords,
      fields: query.fields,
    }),
    load: async () => {
      loads += 1
      return {
        request: async (input) => {
          requests.push(input)
          // The API parses every result with `transportResultSchema`, so a script may return another form.
          return (await script(input, requests.length)) as Result
        },
      }
    },
  }
  return { adapter, requests, loads: () => loads }
}

export function fixtureRecord(part: Partial<BusinessRecord> = {}): BusinessRecord {
  const fields = [{ field: 'name', value: 'Karoo Windpumps' }]
  return { reference: 'fixture-1', observedAt: null, raw: JSON.stringify(fields), fields, ...part }
}

const ending = { trace: null, bytesReceived: 0 }

export function answer(records: BusinessRecord[], isComplete = true): Result {
  return { outcome: 'answered', records, isComplete, next: null, ...ending }
}

export function defer(retryAfterMs: number | null): Result {
  return { outcome: 'deferred', cause: 'rate_limited', retryAfterMs, ...ending }
}

export function fail(
  cause: Extract<Result, { outcome: 'unavailable' }>['cause'],
  fault: 'target' | 'transport' = 'target',
): Result {
  return { outcome: 'unavailable', cause, fault, ...ending }
}

const YEAR_MS = 366 * 86_400_000

/** Scripts that each break one rule of a transport. */
export const fixtureFaults: Readonly<Record<string, FixtureScript>> = {
  'throws at once': () => {
    throw new Error('the fixture threw')
  },
  rejects: () => Promise.reject(new Error('the fixture rejected')),
  'never settles and ignores its signal': () => new Promise(() => {}),
  'returns nothing': () => undefined,
  'returns another shape': () => ({ results: [] }),
  'returns an unknown outcome': () => ({ outcome: 'empty', ...ending }),
  'returns an unknown cause': () => ({ outcome: 'unavailable', cause: 'mood', fault: 'target', ...ending }),
  'returns records of another shape': () => ({ ...answer([]), records: [{ title: 'no record' }] }),
  'returns half a page': () => answer([fixtureRecord({ raw: '[{"field":"na' })], false),
  'returns more than the bound of records': () =>
    answer(Array.from({ length: 1_001 }, (_, index) => fixtureRecord({ reference: `r${index}` }))),
  'returns the same record twice': () => answer([fixtureRecord(), fixtureRecord()]),
  'returns 100 MB of raw text': () => answer([fixtureRecord({ raw: 'x'.repeat(100_000_000) })]),
  'defers until next year': () => ({ ...defer(0), retryAfterMs: YEAR_MS }),
  'returns its own query as the next one forever': ({ query }) => ({
    ...answer([fixtureRecord()], false),
    next: query,
  }),
}
