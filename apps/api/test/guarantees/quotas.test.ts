import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rooms } from '../../src/rooms/index.ts'
import type { Limits } from '../../src/rooms/limits/limits.schema.ts'
import { reportQuota } from '../../src/rooms/reports/reports.quota.ts'
import { ask, freshClient, isSuccess, nameOf, seenVersion } from '../asking.ts'
import type { Answer, TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { bodyOf, operations } from '../operations.ts'
import type { Problem } from '../prospects.ts'
import { setMax } from '../set-max.ts'

/*
 * Every limit that a room declares has a name of its own in the documentation, and is tried: a quota, and a limit of a record, by the request that its
 * fixture names; any other limit by a test that expects its name. GET /limits shows each limit of a person or of a workspace that has a use.
 */

const quotas = rooms.flatMap(({ quotas: ofRoom = [] }) => ofRoom)
const used = rooms.flatMap(({ limits = [] }) => limits)
const recordLimits = rooms.flatMap(({ recordLimits: ofRoom = [] }) => ofRoom)
const others = rooms.flatMap(({ otherLimits = [] }) => otherLimits)
const shownLimits = [...used, ...quotas]
const declared = [...shownLimits, ...recordLimits, ...others]

/**
 * Quotas that no fixture can fill: a passkey is enrolled by an answer to the challenge of its session, and a registry round is refused while another one
 * is open.
 */
const unfilled = ['passkeys', 'registry_rounds_of_day']
/** Limits that refuse no request: a further sign-in ends the oldest session, and a further scan or extraction is deferred. */
const neverRefused = ['sessions', 'fetched_scans_of_day', 'extractions_of_day']

const SRC = join(import.meta.dirname, '../../src')

const namesOf = (limits: readonly { name: string }[]) => limits.map(({ name }) => name).toSorted()

async function shown(client: TestClient, name: string) {
  const { body } = await client.get<Limits>('/limits')
  return body.items.find((limit) => limit.name === name)
}

test('every limit that a room declares has a name of its own, and the documentation names these limits only', () => {
  const names = namesOf(declared)
  expect(names).toEqual([...new Set(names)])
  const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/\| `([a-z_]+)`:|· `([a-z_]+)`:|\(`([a-z_]+)`\)/g)].map(
    ([, first, next, beside]) => first ?? next ?? beside ?? '',
  )
  // A list states a total that was not counted as null.
  expect([...new Set(documented)].filter((name) => name !== 'null').toSorted()).toEqual(names)
})

test('GET /limits shows the limits of a person and of a workspace that have a use', async () => {
  const { t } = await furnishedApp()
  const { body } = await (await t.as('viewer')).get<Limits>('/limits')
  expect(namesOf(body.items)).toEqual(namesOf(shownLimits))
})

const caseOf = (name: string) => operations.find(({ case: { fills = {} } }) => name in fills)

test('every quota and every limit of a record is filled by one case of a fixture', () => {
  const filled = operations.flatMap(({ case: { fills = {} } }) => Object.keys(fills))
  expect([...filled, ...unfilled].toSorted()).toEqual(namesOf([...quotas, ...recordLimits]))
})

test('every other limit that refuses is expected by name in a test', () => {
  const texts = globSync('**/*.test.ts', { cwd: SRC }).map((file) => readFileSync(join(SRC, file), 'utf8'))
  const wanted = [...namesOf([...used, ...others]), ...unfilled].filter((name) => !neverRefused.includes(name))
  expect(wanted.filter((name) => !texts.some((text) => text.includes(`limit: '${name}'`)))).toEqual([])
})

/** Returns the request that fills a limit by one row. */
async function filling(name: string) {
  const operation = caseOf(name)
  if (operation === undefined) throw new Error(`No case fills ${name}.`)
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const body = { ...Object(bodyOf(operation, place)), ...operation.case.fills?.[name] }
  const version = await seenVersion(operation, place, client)
  const request = (key: string) =>
    ask(operation, place, {
      client,
      body,
      headers: { ...version, ...(operation.takesKey ? { 'idempotency-key': key } : {}) },
    })
  return { t, client, operation, request }
}

test.each(recordLimits)(
  '$name: a full record refuses a further row, which it accepts below the limit',
  async (limit) => {
    const { name, record, label, remedy, max } = limit
    const { t, operation, request } = await filling(name)
    setMax(limit, 0)
    const answers: Answer<Problem>[] = []
    const changes = await t.changes(async () => {
      answers.push(await request('full'))
    })
    const [refused] = answers
    expect([nameOf(operation), refused?.status, changes]).toEqual([nameOf(operation), 422, {}])
    expect(refused?.body).toMatchObject({ limit: name, size: expect.any(Number), max: 0 })
    expect(refused?.body.detail).toBe(`This ${record} has ${refused?.body.size} ${label}; the limit is 0. ${remedy}`)
    limit.max = max
    const accepted = await request('room for one')
    expect([nameOf(operation), accepted.status]).toEqual([nameOf(operation), expect.toSatisfy(isSuccess)])
  },
)

test.each(quotas.filter(({ name }) => !unfilled.includes(name)))(
  '$name: a full quota refuses a further row, which an empty place accepts',
  async (quota) => {
    const { name, error, remedy, per } = quota
    const { t, client, operation, request } = await filling(name)
    const before = (await shown(client, name))?.used ?? Number.NaN

    setMax(quota, before)
    const answers: Answer<Problem>[] = []
    const changes = await t.changes(async () => {
      answers.push(await request('full'))
    })
    const [refused] = answers
    expect([nameOf(operation), changes]).toEqual([nameOf(operation), {}])
    expect(refused?.body).toMatchObject({ code: error, limit: name, size: before, max: before })
    expect(refused?.body.detail).toContain(`the limit is ${before}`)
    expect(refused?.body.detail).toContain(remedy)
    expect([409, 422, 429]).toContain(refused?.status)
    if (per === 'day') {
      const left = (Date.parse('2026-11-22T00:00:00.000Z') - t.clock().getTime()) / 1_000
      expect(refused?.headers['retry-after']).toBe(String(Math.ceil(left)))
    }

    setMax(quota, before + 1)
    const accepted = await request('room for one')
    const { answers: expected } = operation.case
    // The fixtures cannot make some requests succeed. They must then be refused for another reason.
    if (expected !== undefined) return expect([accepted.status, accepted.body.limit]).toEqual([expected, undefined])
    expect([nameOf(operation), accepted.status]).toEqual([nameOf(operation), expect.toSatisfy(isSuccess)])
    expect(await shown(client, name)).toMatchObject({ used: before + 1, max: before + 1 })
  },
)

test('the use of a day begins again at midnight in UTC', async () => {
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const operation = operations.find(({ id }) => id === 'createReport')
  if (operation === undefined) throw new Error('There is no createReport.')
  setMax(reportQuota, (await shown(client, 'reports_of_day'))?.used ?? 0)
  expect((await ask(operation, place, { client })).status).toBe(429)
  t.clock.advance(Date.parse('2026-11-22T00:00:00.000Z') - t.clock().getTime() - 1)
  expect((await ask(operation, place, { client: await freshClient(t, 'administrator') })).status).toBe(429)
  t.clock.advance(1)
  expect((await ask(operation, place, { client: await freshClient(t, 'administrator') })).status).toBe(201)
})
