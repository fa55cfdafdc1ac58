import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { personAt } from '../../../../test/person.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, type Refusal } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import { type JobKind, jobKindsOf } from '../../jobs/jobs.ts'
import { holdingsFolder } from '../holding-files.ts'
import { holdingJob } from '../holdings.jobs.ts'
import { type Holding, limits } from '../holdings.schema.ts'

const value = 'quagga@zonkey.example'
const key = () => ({ 'idempotency-key': newId() })

type Item = Record<string, unknown>
type HeldFile = {
  about: string
  isSuppressed: boolean
  notes: string[]
  leftOut: string[]
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
  // Codes are words in the page.
  expect(String(page.body)).toContain('<bdi>Prospect created</bdi>')
  expect(String(page.body)).toContain('<bdi>A change of the record</bdi>')
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

test('a collection about a value replaces the addresses and numbers of other people, in every part and in both forms', async () => {
  const world = await setUp()
  const { operator, manager } = world
  const [other, number] = ['ben@zonkey.example', '083 765 4321']
  const { id } = await createProspect(operator, {
    name: 'Karoo Pumps',
    emails: [{ value }, { value: other }],
    phones: [{ value: number, region: 'ZA' }],
  })
  await addNoteTo(operator, id, { text: `${value} and ${other} share ${number}. See https://zonkey.example/team.` })
  await addInteractionTo(operator, id, { summary: `Spoke with ${value}, copy to ${other}.`, participants: [other] })
  const request = { kind: 'access', receivedAt: '2026-11-02T08:00:00Z', requester: { name: 'Q', contact: value } }
  const asked = { ...request, identityCheck: `Called ${number}.` }
  expect((await manager.post('/subject-requests', asked)).status).toBe(201)
  const made = await world.collect({ kind: 'email', value })
  const file = await world.read(made.id)
  const page = String((await manager.get(`/holdings/${made.id}/file?format=html`)).body)
  for (const text of [JSON.stringify(file), page]) {
    expect(text).toContain(value)
    for (const mark of [other, number, '+27837654321']) expect(text).not.toContain(mark)
  }
  const replaced = '[another address or number]'
  expect(itemsOf(file, 'notes')).toMatchObject([
    { text: `${value} and ${replaced} share ${replaced}. See https://zonkey.example/team.` },
  ])
  expect(itemsOf(file, 'interactions')).toMatchObject([{ participants: [replaced] }])
  expect(file.notes.join(' ')).toContain(replaced)
  // A collection about the prospect contains all of its values.
  const whole = JSON.stringify(await world.read((await world.collect({ businessId: id })).id))
  for (const mark of [other, number]) expect(whole).toContain(mark)
})

test('a number in local form of another country is found, with where it is from', async () => {
  const world = await setUp()
  const { operator } = world
  const { id } = await createProspect(operator, { name: 'Berlin', phones: [{ value: '030 12345678', region: 'DE' }] })
  await addNoteTo(operator, id, { text: 'Call 030 12345678 after ten.' })
  const made = await world.collect({ kind: 'phone', value: '030 12345678', region: 'DE' })
  const file = await world.read(made.id)
  expect(file.records.map((one) => one.id)).toEqual([id])
  expect(itemsOf(file, 'provenance')).toMatchObject([{ fact: 'phone', value: '030 12345678', from: 'entry' }])
  expect(itemsOf(file, 'notes')).toHaveLength(1)
})

test('a value is from the change that entered all of it, not from one that contains a longer text', async () => {
  const world = await setUp()
  const { operator } = world
  const created = await createProspect(operator, { name: 'Paarl Mills' })
  const edit = { address: { city: 'Paarl' } }
  const changed = await operator.patch(`/businesses/${created.id}`, edit, { 'if-match': `"${created.version}"` })
  expect(changed.status).toBe(200)
  const file = await world.read((await world.collect({ businessId: created.id })).id)
  const eventOf = (action: string) => itemsOf(file, 'audit_events').find((event) => event.action === action)?.id
  const from = (fact: string) => itemsOf(file, 'provenance').find((one) => one.fact === fact)
  expect(from('name')).toMatchObject({ from: 'entry', eventId: eventOf('business.create') })
  expect(from('address.city')).toMatchObject({ from: 'entry', eventId: eventOf('business.edit') })
})

test('collecting and downloading require a recent proof of identity, a key makes one file, and a HEAD records nothing', async () => {
  const world = await setUp()
  const { t, ended } = world
  const id = await prospect(world, 'Karoo Pumps')
  const manager = personAt(t)
  await manager.signIn('manager@home.example')
  const sent = key()
  const ask = () => manager.post<Holding & Refusal>('/holdings', { businessId: id }, sent)
  const { body: made } = await ask()
  expect((await ask()).body.id).toBe(made.id)
  await ended(made.jobId)
  expect((await manager.post<Refusal>('/holdings', { businessId: id })).body.code).toBe('idempotency_key_required')
  const path = `/holdings/${made.id}/file?format=html`
  const changes = await t.changes(async () => expect((await manager.head(path)).status).toBe(200))
  expect({ ...changes, sessions: 0 }).toEqual({ sessions: 0 })
  t.clock.advance(15 * 60_000)
  for (const answer of [await ask(), await manager.get<Refusal>(path)])
    expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  expect((await manager.head(path)).status).toBe(403)
  expect((await manager.get(`/holdings/${made.id}`)).status).toBe(200)
})

test('a file is served only unaltered, a start deletes leftovers of a killed run, and files of open collections stay', async () => {
  const world = await setUp()
  const { t, manager } = world
  const made = await world.collect({ businessId: await prospect(world, 'Karoo Pumps') })
  const folder = holdingsFolder(t.store.dataDir)
  for (const name of [`${newId()}.json.a-claim.part`, `${newId()}.html`]) writeFileSync(join(folder, name), 'half')
  await upkeepOf('holdings', t.store)
  expect(readdirSync(folder).toSorted()).toEqual([`${made.id}.html`, `${made.id}.json`])
  appendFileSync(join(folder, `${made.id}.html`), '<script>')
  const answer = await manager.get<Refusal>(`/holdings/${made.id}/file?format=html`)
  expect(answer).toMatchObject({ status: 410, body: { code: 'holding_gone' } })
  expect((await manager.get(`/holdings/${made.id}/file?format=json`)).status).toBe(200)
})

test('a run that is stopped before its commit is repeated, and one that an erasure overtook stores nothing', async () => {
  const { t, operator, ended, until, work } = await jobWorld([holdingJob])
  const [manager, administrator] = [await t.as('manager'), await t.as('administrator')]
  const folder = holdingsFolder(t.store.dataDir)
  /** The job, with a step between its written files and the change that stores them. */
  const kindWith = (step: () => Promise<unknown>): JobKind => ({
    ...holdingJob,
    run: (context, input) => {
      const effect: typeof context.effect = async (...given) => {
        await step()
        return context.effect(...given)
      }
      return holdingJob.run({ ...context, effect }, input)
    },
  })
  const { id } = await createProspect(operator, { name: 'Karoo Pumps' })
  const ask = async () => (await manager.post<Holding>('/holdings', { businessId: id }, key())).body
  const see = async ({ id: holdingId }: Holding) => (await manager.get<Holding>(`/holdings/${holdingId}`)).body
  const reached = Promise.withResolvers<void>()
  const stuck = Promise.withResolvers<void>()
  const stopped = work({
    kinds: jobKindsOf([
      kindWith(() => {
        reached.resolve()
        return stuck.promise
      }),
    ]),
  })
  const first = await ask()
  await reached.promise
  await stopped.stop()
  expect((await see(first)).status).toBe('preparing')
  const worker = work()
  await until(first.jobId, ({ status }) => status === 'succeeded')
  stuck.resolve()
  expect((await see(first)).status).toBe('ready')
  expect(readdirSync(folder).toSorted()).toEqual([`${first.id}.html`, `${first.id}.json`])
  await worker.stop()

  const erase = () => administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
  work({ kinds: jobKindsOf([kindWith(erase)]) })
  const second = await ask()
  expect(await ended(second.jobId)).toMatchObject({ status: 'failed', error_code: 'holding_outdated' })
  expect((await see(second)).status).toBe('removed')
  expect(readdirSync(folder)).toEqual([])
})

test('a tenant has at most 20 files: a further one replaces the oldest, whose value is deleted with it', async () => {
  const world = await setUp()
  const { t } = world
  const made = []
  for (let count = 0; count <= limits.files; count++) made.push(await world.collect({ kind: 'email', value }))
  const files = readdirSync(holdingsFolder(t.store.dataDir))
  expect(files).toHaveLength(2 * limits.files)
  const [oldest, next] = made
  const see = async (id = '') => (await world.manager.get<Holding>(`/holdings/${id}`)).body
  expect(await see(oldest?.id)).toMatchObject({ status: 'expired', subject: { value: null } })
  expect(await see(next?.id)).toMatchObject({ status: 'ready', subject: { value } })
})
