import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answer, defer, fail, fixtureAdapter, fixtureFaults, fixtureRecord } from '../test-kit/fixture-adapter.ts'
import { requestOf } from '../test-kit/request-of.ts'
import {
  adapterSchema,
  causeOfAbort,
  isRetryable,
  MAX_RETRY_AFTER_MS,
  transportResultSchema,
  unavailableCauses,
} from './adapter.ts'
import { businessRecordSchema } from './business-records.ts'

const { adapter } = fixtureAdapter()

test('a TimeoutError as the reason of an abort is a timeout, and every other reason a cancellation', async () => {
  const limit = AbortSignal.timeout(0)
  await new Promise((resolve) => limit.addEventListener('abort', resolve))
  expect(causeOfAbort(limit)).toBe('timeout')
  for (const reason of [undefined, new Error('The request timed out.'), 'TimeoutError'])
    expect(causeOfAbort(AbortSignal.abort(reason))).toBe('cancelled')
})

describe('the form of an adapter', () => {
  test('is that of the fixture', () => {
    expect(adapterSchema.safeParse(adapter).error).toBeUndefined()
    expect(adapterSchema.safeParse({ ...adapter, details: { model: 'x' } }).error).toBeUndefined()
  })

  test.each([
    ['no id', { id: undefined }, 'id must be a text.'],
    [
      'an id with capitals',
      { id: 'Fixture' },
      'id must be lower-case letters and digits, with single hyphens between.',
    ],
    ['an id with a path', { id: '../x' }, 'id must be lower-case letters'],
    ['a long id', { id: 'x'.repeat(61) }, 'id must have at most 60 characters.'],
    ['a version with spaces', { version: '1 2' }, 'version must be letters'],
    ['no version', { version: undefined }, 'version must be a text.'],
    [
      'an unknown kind of answers',
      { answersFrom: 'somewhere' },
      'answersFrom must be one_provider or varying_targets.',
    ],
    ['an invalid schema', { querySchema: {} }, 'querySchema must be a Zod schema.'],
    ['no settings', { settingsSchema: undefined }, 'settingsSchema must be a Zod schema.'],
    ['no declaration', { declaration: undefined }, 'declaration must be an object'],
    [
      'a declaration without purposes',
      { declaration: { ...adapter.declaration, purposes: [] } },
      'declaration.purposes must name a purpose.',
    ],
    [
      'a list without a meaning of an empty one',
      {
        declaration: { ...adapter.declaration, settings: [{ name: 'x', label: 'X', kind: 'list', options: null }] },
      },
      'declaration.settings.0.empty Invalid option',
    ],
    ['a plan that is no function', { plan: {} }, 'plan must be a function.'],
    ['no load', { load: undefined }, 'load must be a function.'],
    ['details that are no object', { details: 'x' }, 'details must be an object.'],
  ])('refuses %s', (_what, part, sentence) => {
    const { error } = adapterSchema.safeParse({ ...adapter, ...part })
    const [issue] = error?.issues ?? []
    expect(`${issue?.path.join('.')} ${issue?.message}`).toContain(sentence)
  })

  test('refuses a property that the contract does not know', () => {
    expect(adapterSchema.safeParse({ ...adapter, secret: 'x' }).success).toBe(false)
  })
})

describe('results', () => {
  test.each<[string, unknown]>([
    ['an answer', answer([fixtureRecord()])],
    ['an empty answer', answer([])],
    ['part of an answer', answer([fixtureRecord()], false)],
    ['a deferral', defer(1_000)],
    ['a deferral without a time', defer(null)],
    ...unavailableCauses.map((cause): [string, unknown] => [cause, fail(cause)]),
  ])('of the contract: %s', (_what, result) => {
    expect(transportResultSchema.safeParse(result).error).toBeUndefined()
  })

  test('may be repeated after a timeout, a connection failure and a 5xx, and after nothing else', () => {
    expect(unavailableCauses.filter(isRetryable)).toEqual(['timeout', 'connection_failed', 'server_error'])
  })

  test('defer for at most a week', () => {
    expect(transportResultSchema.safeParse(defer(MAX_RETRY_AFTER_MS)).success).toBe(true)
    expect(transportResultSchema.safeParse(defer(MAX_RETRY_AFTER_MS + 1)).success).toBe(false)
  })
})

describe('the fixture adapter', () => {
  const query = { businessId: '01930000-0000-7000-8000-000000000001', fields: ['name'], provinces: [], maxRecords: 5 }
  const settings = { region: 'north' } as const

  test('returns one record, records its requests, and plans within its query', async () => {
    const fixture = fixtureAdapter()
    expect(fixture.adapter.plan({ query, settings })).toMatchObject({
      kind: 'planned',
      maxRecords: 5,
      fields: ['name'],
    })
    expect(fixture.loads()).toBe(0)
    const transport = await fixture.adapter.load()
    const result = await requestOf({ transport, query, settings })
    expect(result).toMatchObject({ outcome: 'answered', isComplete: true })
    expect(fixture.loads()).toBe(1)
    expect(fixture.requests).toMatchObject([{ query, settings, attempt: 1 }])
  })

  test('follows its script, call by call', async () => {
    const transport = await fixtureAdapter({
      script: (_input, call) => (call === 1 ? defer(5) : fail('timeout')),
    }).adapter.load()
    expect(await requestOf({ transport, query, settings })).toMatchObject({ outcome: 'deferred' })
    expect(await requestOf({ transport, query, settings })).toMatchObject({ cause: 'timeout' })
  })

  const wrongShapes = [
    'returns nothing',
    'returns another shape',
    'returns an unknown outcome',
    'returns an unknown cause',
    'returns more than the bound of records',
    'defers until next year',
  ]
  test.each(wrongShapes)('that %s breaks the contract', async (name) => {
    const transport = await fixtureAdapter({ script: fixtureFaults[name] ?? (() => {}) }).adapter.load()
    expect(transportResultSchema.safeParse(await requestOf({ transport, query, settings })).success).toBe(false)
  })

  test.each(['returns records of another shape', 'returns 100 MB of raw text'])(
    'that %s breaks the schema of its purpose',
    async (name) => {
      const transport = await fixtureAdapter({ script: fixtureFaults[name] ?? (() => {}) }).adapter.load()
      const result = await requestOf({ transport, query, settings })
      expect(result.outcome === 'answered' && z.array(businessRecordSchema).safeParse(result.records).success).toBe(
        false,
      )
    },
  )

  test.each(['throws at once', 'rejects'])('that %s does so', async (name) => {
    const transport = await fixtureAdapter({ script: fixtureFaults[name] ?? (() => {}) }).adapter.load()
    await expect(requestOf({ transport, query, settings })).rejects.toThrow('the fixture')
  })
})
