import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, type Refusal } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import { holdingsFolder } from '../holding-files.ts'
import { holdingJob } from '../holdings.jobs.ts'
import type { Holding } from '../holdings.schema.ts'

const value = 'quagga@zonkey.example'
const key = () => ({ 'idempotency-key': newId() })

type Item = Record<string, unknown>
type HeldFile = {
  about: string
  isSuppressed: boolean
  records: { id: string; name: string; doNotContact: boolean }[]
  parts: { key: string; title: string; items: Item[] }[]
}

type World = {
  t: TestApp
  operator: TestClient
  manager: TestClient
  administrator: TestClient
  ended: (jobId: string) => Promise<{ status: string }>
  /** requests a collection, waits for its end, and returns it */
  collect(body: object): Promise<Holding>
  read(id: string): Promise<HeldFile>
}

async function setUp(): Promise<World> {
  const { t, operator, ended, work } = await jobWorld([holdingJob, exportJob])
  work()
  const [manager, administrator] = [await t.as('manager'), await t.as('administrator')]
  return {
    t,
    operator,
    manager,
    administrator,
    ended,
    collect: async (body) => {
      const asked = await manager.post<Holding>('/holdings', body, key())
      expect([asked.status, asked.status === 202 ? null : asked.body]).toEqual([202, null])
      await ended(asked.body.jobId)
      return (await manager.get<Holding>(`/holdings/${asked.body.id}`)).body
    },
    read: async (id) => {
      const { status, body } = await manager.get(`/holdings/${id}/file?format=json`)
      expect(status).toBe(200)
      return JSON.parse(String(body)) as HeldFile
    },
  }
}

const itemsOf = ({ parts }: HeldFile, wanted: string): Item[] => {
  const part = parts.find((one) => one.key === wanted)
  if (part === undefined) throw new Error(`The file has no part ${wanted}.`)
  return part.items
}

async function prospect({ operator }: World, name: string, more: object = {}): Promise<string> {
  const { id } = await createProspect(operator, { name, emails: [{ value }], ...more })
  await addNoteTo(operator, id, { text: `A note about ${value}.` })
  await addNoteTo(operator, id, { text: 'Another note.', sensitive: true })
  await addInteractionTo(operator, id, { summary: 'They called.', participants: ['Quagga'] })
  await addEvidenceTo(operator, id, { field: 'email', value: 'QUAGGA@zonkey.example', sourceLabel: 'Trade fair' })
  return id
}

test('the file contains what every room holds about a prospect, with where each value is from', async () => {
  const world = await setUp()
  const { operator, manager } = world
  const id = await prospect(world, 'Karoo Pumps', { phones: [{ value: '082 123 4567', region: 'ZA' }] })
  const other = await prospect(world, 'Other')
  const draft = {
    businessId: id,
    title: 'Letter',
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    recipient: { kind: 'email', value },
    subject: 'Pumps',
    text: 'Good day.',
    noCitationReason: 'Nothing is claimed.',
  }
  expect((await operator.post('/drafts', draft)).status).toBe(201)
  const blocked = await manager.post('/suppressions', { kind: 'email', value, reason: 'No.', channel: 'email' })
  expect(blocked.status).toBe(201)
  const made = await world.collect({ businessId: id })
  expect(made).toMatchObject({ status: 'ready', file: { records: 1, leftOut: [] } })
  const file = await world.read(made.id)
  expect(file.records).toEqual([{ id, name: 'Karoo Pumps', doNotContact: true }])
  expect(itemsOf(file, 'businesses')).toMatchObject([{ name: 'Karoo Pumps', primaryEmail: value }])
  expect(itemsOf(file, 'business_identifiers')).toHaveLength(2)
  expect(itemsOf(file, 'notes').map(({ text }) => text)).toEqual([`A note about ${value}.`, 'Another note.'])
  expect(itemsOf(file, 'interactions')).toMatchObject([{ summary: 'They called.', participants: ['Quagga'] }])
  expect(itemsOf(file, 'drafts')).toMatchObject([{ title: 'Letter' }])
  expect(itemsOf(file, 'draft_versions')).toMatchObject([{ text: 'Good day.', recipientValue: value }])
  expect(itemsOf(file, 'suppressions')).toMatchObject([{ original: value, reason: 'No.' }])
  expect(itemsOf(file, 'audit_events').map(({ action }) => action)).toContain('note.add')
  expect(JSON.stringify(file)).not.toContain(other)

  const from = itemsOf(file, 'provenance')
  expect(from.find(({ fact }) => fact === 'email')).toMatchObject({ from: 'evidence', sourceLabel: 'Trade fair' })
  expect(from.find(({ fact }) => fact === 'phone')).toMatchObject({ from: 'entry', eventId: expect.any(String) })
  expect(from.filter(({ from: one }) => one === 'unknown')).toEqual([])

  // A suppressed value is in the file, and marked.
  expect(itemsOf(file, 'business_identifiers').map(({ original, suppressed }) => [original, suppressed])).toEqual([
    [value, ['original', 'normalized']],
    ['082 123 4567', undefined],
  ])
  const page = await manager.get(`/holdings/${made.id}/file?format=html`)
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(String(page.body)).toContain('Do not contact')
  expect(String(page.body)).toContain('Another note.')
})

test('a collection about a value contains what mentions it in any record, and nothing else', async () => {
  const world = await setUp()
  const { operator, manager } = world
  const [a, b] = [await prospect(world, 'Karoo Pumps'), await prospect(world, 'Karoo Mills')]
  const free = await createProspect(operator, { name: 'Free' })
  const request = { kind: 'access', receivedAt: '2026-11-02T08:00:00Z', requester: { name: 'Quagga', contact: value } }
  expect((await manager.post('/subject-requests', request)).status).toBe(201)
  await manager.post('/suppressions', { kind: 'email', value, reason: 'No.', channel: 'email' })
  const made = await world.collect({ kind: 'email', value: 'Quagga@Zonkey.example' })
  const file = await world.read(made.id)
  expect(file).toMatchObject({ about: 'Quagga@Zonkey.example', isSuppressed: true })
  expect(file.records.map(({ id }) => id).toSorted()).toEqual([a, b].toSorted())
  expect(itemsOf(file, 'notes').map(({ text }) => text)).toEqual([`A note about ${value}.`, `A note about ${value}.`])
  expect(itemsOf(file, 'interactions')).toEqual([])
  expect(itemsOf(file, 'evidence')).toHaveLength(2)
  expect(itemsOf(file, 'provenance').map(({ fact }) => fact)).toEqual(['email', 'email'])
  expect(itemsOf(file, 'subject_requests_of_value')).toMatchObject([{ requesterName: 'Quagga' }])
  expect(itemsOf(file, 'suppressions')).toMatchObject([{ reason: 'No.' }])
  expect(JSON.stringify(file)).not.toContain(free.id)

  const nobody = await world.collect({ kind: 'phone', value: '082 765 4321' })
  expect((await world.read(nobody.id)).records).toEqual([])
})

test('the file names the exports that contained the prospect, also those whose file was deleted', async () => {
  const world = await setUp()
  const { t, administrator } = world
  const [id, other] = [await prospect(world, 'Karoo Pumps', { tags: ['farm'] }), await prospect(world, 'Other')]
  const exported = async (tag: string) => {
    const filter = [{ field: 'tag', op: 'any_of', values: [tag] }]
    const body = { source: 'prospects', format: 'csv', filter }
    const made = await administrator.post<{ id: string; jobId: string }>('/exports', body, key())
    expect((await world.ended(made.body.jobId)).status).toBe('succeeded')
    return made.body.id
  }
  const exports = [await exported('farm'), await exported('none'), await exported('farm')]
  t.clock.advance(2 * DAY_MS)
  await upkeepOf('exports', t.store)
  const manager = await freshClient(t, 'manager')
  const heldOf = async (businessId: string) => {
    const asked = await manager.post<Holding>('/holdings', { businessId }, key())
    await world.ended(asked.body.jobId)
    const { body } = await manager.get(`/holdings/${asked.body.id}/file`)
    return itemsOf(JSON.parse(String(body)), 'exports')
  }
  const found = await heldOf(id)
  expect(found.map((one) => one.id)).toEqual([exports[0], exports[2]])
  expect(found.every(({ removedAt }) => typeof removedAt === 'string')).toBe(true)
  expect(await heldOf(other)).toEqual([])
})

test('only managers and administrators collect and download, each download is in the audit, and requests are validated', async () => {
  const world = await setUp()
  const { operator, manager, administrator } = world
  const id = await prospect(world, 'Karoo Pumps')
  const made = await world.collect({ businessId: id })
  expect((await operator.post('/holdings', { businessId: id }, key())).status).toBe(403)
  for (const path of ['', '/file']) expect((await operator.get(`/holdings/${made.id}${path}`)).status).toBe(403)
  expect((await administrator.get(`/holdings/${made.id}/file`)).status).toBe(200)
  const { body } = await administrator.get<{ items: { action: string }[] }>(`/audit-events?subjectId=${made.id}`)
  expect(body.items.map(({ action }) => action)).toEqual(['holding.download', 'holding.write', 'holding.request'])
  for (const wrong of [
    {},
    { kind: 'email' },
    { businessId: id, kind: 'email', value },
    { kind: 'phone', value: 'not a number' },
  ]) {
    const { status, body: refused } = await manager.post<Refusal>('/holdings', wrong, key())
    expect([status, refused.code]).toEqual([400, 'invalid_request'])
  }
  expect((await manager.post('/holdings', { businessId: newId() }, key())).status).toBe(404)
})

test('a file expires with its value, and an erasure of any prospect deletes all files', async () => {
  const world = await setUp()
  const { t, administrator } = world
  const id = await prospect(world, 'Karoo Pumps')
  const [first, second] = [await world.collect({ kind: 'email', value }), await world.collect({ businessId: id })]
  const files = () => readdirSync(holdingsFolder(t.store.dataDir)).length
  expect(files()).toBe(4)
  const erased = await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
  expect(erased.body).toMatchObject({ erased: { holdings: 2 } })
  expect(files()).toBe(0)
  const removed = await administrator.get<Holding>(`/holdings/${first.id}`)
  expect(removed.body).toMatchObject({ status: 'removed', subject: { value: null } })
  expect((await administrator.get<Refusal>(`/holdings/${second.id}/file`)).body.code).toBe('holding_gone')
  t.clock.advance(1_000)
  const third = await world.collect({ kind: 'email', value })
  t.clock.advance(DAY_MS)
  await upkeepOf('holdings', t.store)
  expect(files()).toBe(0)
  const row = await t.store.reader.selectFrom('holdings').selectAll().where('id', '=', third.id).executeTakeFirst()
  expect(row).toMatchObject({ value: null, value_normalized: null, ended_because: 'expired' })
})
