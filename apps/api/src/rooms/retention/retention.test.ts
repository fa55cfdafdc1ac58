import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import { keyPruning } from '../../store/change/idempotency-pruning.ts'
import { rooms } from '../index.ts'
import type { RetentionList } from './retention.schema.ts'

const declared = rooms.flatMap(({ retention = [] }) => retention)

test('each task that deletes or empties stored data enforces a declared period', () => {
  const tasks = [keyPruning, ...rooms.flatMap(({ upkeep = [] }) => upkeep)].map(({ name }) => name)
  const enforcing = declared.flatMap((one) => one.tasks ?? [])
  expect(enforcing.filter((name) => !tasks.includes(name))).toEqual([])
  const ending = tasks.filter((name) => /^(delete|empty|expire|remove|queue the deletion)\b/.test(name))
  expect(ending.length).toBeGreaterThan(10)
  expect(ending.filter((name) => !enforcing.includes(name))).toEqual([])
})

test('each period has a key of its own and says what it covers in sentences', () => {
  expect(new Set(declared.map(({ key }) => key)).size).toBe(declared.length)
  for (const { key, data, begins, ends } of declared) {
    expect([key, data]).toEqual([key, expect.stringMatching(/^[A-Z].*[^.]$/)])
    for (const sentences of [begins, ends])
      expect([key, sentences]).toEqual([key, expect.stringMatching(/^[A-Z].*\.$/)])
  }
})

test('the list shows the periods of the configuration and of the approved policies, to every member', async () => {
  const t = await buildTestApp({ config: { jobEventsKeepDays: 12 } })
  const read = async (role: 'viewer' | 'manager') => {
    const { body, status } = await (await t.as(role)).get<RetentionList>('/retention')
    expect(status).toBe(200)
    return Object.fromEntries(body.items.map(({ key, term }) => [key, term]))
  }
  const before = await read('viewer')
  expect(before).toMatchObject({
    job_events: { kind: 'time', value: 12, unit: 'day' },
    scans: { kind: 'time', value: 180, unit: 'day' },
    contact_candidates: { kind: 'time', value: 90, unit: 'day' },
    assist_exchanges: { kind: 'not_stored', value: null, unit: null },
    prospects: { kind: 'erasure', value: null, unit: null },
  })
  expect(Object.keys(before)).toHaveLength(declared.length)
  const { body } = await (await t.as('manager')).post<{ id: string }>('/scan-policies', {
    bounds: {},
    retentionDays: 45,
  })
  await (await t.as('administrator')).post(`/scan-policies/${body.id}/approval`, { reason: 'Agreed.' })
  expect((await read('manager')).scans).toEqual({ kind: 'time', value: 45, unit: 'day' })
})
