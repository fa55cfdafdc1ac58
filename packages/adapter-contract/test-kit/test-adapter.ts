import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import {
  type Adapter,
  adapterSchema,
  type RequestInput,
  type Transport,
  type TransportResult,
  transportResultSchema,
  type UnavailableCause,
} from '../src/adapter.ts'
import type { DeclaredField } from '../src/declaration.ts'
import { requestOf } from './request-of.ts'

/*
 * Tests that every adapter must pass. An adapter's own test calls `testAdapter` with a server for each scene; the kit sends one request to the server
 * and checks the result against the contract. Scenes that only one adapter has are in `more`.
 */

/** One test case: a server, a query, and the result that the transport must return. */
export type Scene<Query, Settings> = {
  transport: Transport<Query, Settings>
  query: Query
  settings: Settings
  /** returns the number of connections or datagrams that the server received */
  received(): number
  /** returns the number of open connections at the server; the kit waits until there are none */
  open?(): number
  /** limits that the API passes with the query */
  call?: { timeoutMs?: number; maxBytes?: number }
  expected: Expected<Query>
}

/** The part of a result that a scene checks. */
export type Expected<Query> =
  | Partial<Extract<TransportResult<Query>, { outcome: 'answered' }>>
  | Partial<Extract<TransportResult<Query>, { outcome: 'deferred' }>>
  | Partial<Extract<TransportResult<Query>, { outcome: 'unavailable' }>>

export function unavailable(cause: UnavailableCause, fault: 'target' | 'transport' = 'target') {
  return { outcome: 'unavailable', cause, fault } as const
}

type Scenes<Query, Settings, Name extends string> = Record<Name, () => Promise<Scene<Query, Settings>>>

/** Behaviours of the test server: it answers, sends nothing, sends single bytes slowly, does not exist, violates its protocol, or sends too much. */
export type SceneName = 'answers' | 'silent' | 'dripping' | 'absent' | 'malformed' | 'oversized'

export type AdapterUnderTest<Query, Settings> = {
  /** version in the adapter's package.json */
  version: string
  adapter: Adapter<Query, Settings>
  settings: Settings
  query: Query
  /** queries with one fault each; the key describes the fault */
  badQueries: Record<string, unknown>
  badSettings: Record<string, unknown>
  /** schemas of the purpose */
  recordSchema: z.ZodType
  traceSchema: z.ZodType
  scenes: Scenes<Query, Settings, SceneName>
  more?: Scenes<Query, Settings, string>
}

export function testAdapter<Query, Settings>(kit: AdapterUnderTest<Query, Settings>): void {
  const { adapter, settings, query } = kit

  describe(`the adapter ${adapter.id}`, () => {
    test('has the form of the contract and the version of its package', () => {
      expect(adapterSchema.safeParse(adapter).error).toBeUndefined()
      expect(adapter.version).toBe(kit.version)
    })

    test('accepts its query and settings as they are', () => {
      expect(adapter.querySchema.parse(query)).toEqual(query)
      expect(adapter.settingsSchema.parse(settings)).toEqual(settings)
    })

    test.each(Object.keys(kit.badQueries))('rejects a query with %s', (name) => {
      expect(adapter.querySchema.safeParse(kit.badQueries[name]).success).toBe(false)
    })

    test.each(Object.keys(kit.badSettings))('rejects settings with %s', (name) => {
      expect(adapter.settingsSchema.safeParse(kit.badSettings[name]).success).toBe(false)
    })

    test('rejects unknown properties of query and settings', () => {
      expect(adapter.querySchema.safeParse({ ...query, host: '127.0.0.1' }).success).toBe(false)
      expect(adapter.settingsSchema.safeParse({ ...settings, command: 'true' }).success).toBe(false)
    })

    test('declares the fields of its query and settings as their schemas have them', () => {
      const { declaration, querySchema, settingsSchema } = adapter
      expect(namesOf(declaration.query ?? [])).toEqual(propertiesOf(querySchema))
      expect(namesOf(declaration.settings)).toEqual(propertiesOf(settingsSchema))
      const accepts = (schema: z.ZodType, around: unknown, name: string, value: unknown) =>
        schema.safeParse({ ...(around as object), [name]: value }).success
      for (const [schema, around, fields] of [
        [querySchema, query, declaration.query ?? []],
        [settingsSchema, settings, declaration.settings],
      ] as const) {
        for (const field of fields) {
          for (const value of valuesOf(field))
            expect(accepts(schema, around, field.name, value), `${field.name}: ${JSON.stringify(value)}`).toBe(true)
          if (field.kind === 'list')
            expect(accepts(schema, around, field.name, []), `${field.name} is empty`).toBe(field.empty !== 'refused')
        }
      }
    })

    test('declares the fields and the number of records that its plans have', () => {
      const { answerFields, minRecords } = adapter.declaration
      const plan = adapter.plan({ query, settings })
      if (plan.kind !== 'planned') throw new Error('The query of the kit can be planned.')
      const known = [...answerFields.always, ...answerFields.onRequest]
      expect(plan.fields.filter((field) => !known.includes(field))).toEqual([])
      expect(answerFields.always.filter((field) => !plan.fields.includes(field))).toEqual([])
      expect(minRecords).toBeLessThanOrEqual(plan.maxRecords)
    })

    test('plans the same each time, within finite bounds, without loading its transport or touching the network', async () => {
      const attempts = watchNetwork()
      const load = vi.spyOn(adapter, 'load')
      const input = structuredClone({ query, settings })
      const plan = adapter.plan({ query, settings })
      expect(plan).not.toBeInstanceOf(Promise)
      expect(adapter.plan({ query, settings })).toEqual(plan)
      expect(structuredClone({ query, settings })).toEqual(input)
      if (plan.kind === 'planned') {
        const bounds = [plan.maxRequests, plan.maxBytes, plan.maxDurationMs, plan.maxRecords]
        for (const bound of bounds) expect(Number.isSafeInteger(bound) && bound > 0).toBe(true)
        expect(plan.requests.length).toBeGreaterThan(0)
        expect(plan.requests.length).toBeLessThanOrEqual(plan.maxRequests)
      }
      expect(load).not.toHaveBeenCalled()
      expect(attempts).toEqual([])
    })

    test('loads its transport without touching the network', async () => {
      const attempts = watchNetwork()
      const transport = await adapter.load()
      expect(transport.request).toBeInstanceOf(Function)
      expect(attempts).toEqual([])
    })

    test('sends nothing once its signal is aborted', async () => {
      const scene = await kit.scenes.answers()
      const result = await send(scene, { signal: AbortSignal.abort() })
      expect(result).toMatchObject({ outcome: 'unavailable', cause: 'cancelled', bytesReceived: 0 })
      expect(scene.received()).toBe(0)
    })

    test.each([
      ['lower than', 0.5],
      ['equal to', 1],
      ['higher than', 2],
    ])('ends as a timeout when the limit of the contract is %s its own', async (_relation, factor) => {
      const scene = await kit.scenes.silent()
      const plan = adapter.plan({ query: scene.query, settings })
      if (plan.kind !== 'planned') throw new Error('The query of the silent scene is planned.')
      const timeoutMs = (plan.maxDurationMs / plan.maxRequests) * factor
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const limit = new AbortController()
      // The API starts its timer before the transport starts its own.
      setTimeout(() => limit.abort(new DOMException('The time limit ended.', 'TimeoutError')), timeoutMs)
      const ended = send(scene, { signal: limit.signal, timeoutMs })
      while (scene.received() === 0) await setImmediate()
      await vi.advanceTimersByTimeAsync(timeoutMs)
      expect(await ended).toMatchObject(scene.expected)
    })

    test('ends when its signal aborts while the other end is silent', async () => {
      const scene = await kit.scenes.silent()
      const abort = new AbortController()
      const ended = send(scene, { signal: abort.signal, timeoutMs: 60_000 })
      await vi.waitUntil(() => scene.received() > 0, { timeout: 30_000 })
      abort.abort()
      expect(await ended).toMatchObject({ outcome: 'unavailable', cause: 'cancelled' })
    })

    for (const [name, open] of Object.entries({ ...kit.scenes, ...kit.more })) {
      test(`meets the contract when the other end ${sentenceOf(name)}`, async () => {
        const scene = await open()
        const result = await send(scene)
        expect(result).toMatchObject(scene.expected)
        expect(transportResultSchema.safeParse(result).error).toBeUndefined()
        expect(kit.traceSchema.safeParse(result.trace).error).toBeUndefined()
        if (result.outcome === 'answered') {
          for (const record of result.records) expect(kit.recordSchema.safeParse(record).error).toBeUndefined()
          if (result.next !== null) expect(adapter.querySchema.safeParse(result.next).error).toBeUndefined()
        }
        expect(scene.received()).toBeLessThanOrEqual(1)
        await vi.waitUntil(() => (scene.open?.() ?? 0) === 0, { timeout: 30_000 })
      })
    }
  })
}

const namesOf = (fields: readonly DeclaredField[]) => fields.map(({ name }) => name).toSorted()

/** Names of the properties of an object schema; none for a schema without properties, such as that of a sealed prompt. */
function propertiesOf(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties).toSorted()
}

/** Values that a form may send for a declared field. */
function valuesOf(field: DeclaredField): unknown[] {
  switch (field.kind) {
    case 'choice':
      return field.options
    case 'list':
      return (field.options ?? []).map((option) => [option])
    case 'fixed':
      return [field.value]
    case 'number':
      return [field.min, field.max]
    default:
      return []
  }
}

function send<Query, Settings>(
  { transport, query, settings, call = {} }: Scene<Query, Settings>,
  part: Partial<RequestInput<Query, Settings>> = {},
) {
  return requestOf({ transport, query, settings, ...call, ...part })
}

const sentences: Readonly<Record<string, string>> = {
  answers: 'answers',
  silent: 'is silent',
  dripping: 'sends a byte now and then',
  absent: 'is absent',
  malformed: 'breaks its protocol',
  oversized: 'sends too much',
}

const sentenceOf = (name: string) => sentences[name] ?? name

/** Blocks every way to the network in this process, and returns the list of attempts. */
function watchNetwork(): string[] {
  const attempts: string[] = []
  const refuse = (what: string) => (): never => {
    attempts.push(what)
    throw new Error(`The network was touched: ${what}`)
  }
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(refuse('a TCP connection'))
  vi.spyOn(dgram, 'createSocket').mockImplementation(refuse('a datagram socket'))
  vi.spyOn(dns, 'lookup').mockImplementation(refuse('a name') as unknown as typeof dns.lookup)
  for (const resolver of [dns.Resolver, dns.promises.Resolver]) {
    for (const method of ['resolve4', 'resolve6', 'resolve'] as const)
      vi.spyOn(resolver.prototype, method).mockImplementation(refuse('a resolver'))
  }
  return attempts
}
