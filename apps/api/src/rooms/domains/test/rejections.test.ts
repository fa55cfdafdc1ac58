import { expect, test } from 'vitest'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { DomainRejection, RejectionPreview } from '../candidates/rejections.schema.ts'
import { type DomainsWorld, domainsWorld } from './domains-world.ts'

const reason = 'A mail host that anybody can use.'

async function worldWithMailHost(prospects: number) {
  const world = await domainsWorld()
  for (let at = 0; at < prospects; at++) await world.prospect(`Prospect ${at}`, { emails: [`p${at}@mailhost.co.za`] })
  const other = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  return { world, other }
}

const preview = async ({ manager }: DomainsWorld, domain = 'mailhost.co.za') =>
  (await manager.get<RejectionPreview>(`/domain-rejections/preview?domain=${domain}`)).body

const reject = ({ manager }: DomainsWorld, body: object, client = manager) =>
  client.post<DomainRejection & Problem>(
    '/domain-rejections',
    { bands: ['low', 'medium'], reason, ...body },
    { 'idempotency-key': newId() },
  )

test('the open candidates of one domain are previewed and rejected in steps, each with its audit event', async () => {
  const { world } = await worldWithMailHost(52)
  const { open, isMore, through } = await preview(world)
  expect([open.low + open.medium + open.high, isMore]).toEqual([52, false])
  const first = await reject(world, { through })
  expect(first.body).toEqual({ rejected: 50, isMore: true })
  const { body } = await world.manager.get<ListPage<AuditEvent>>(
    '/audit-events?action=domain_candidate.reject&limit=100',
  )
  expect(body.items.map((event) => event.reason)).toEqual(Array.from({ length: 50 }, () => reason))
  expect((await reject(world, { through })).body).toEqual({ rejected: 2, isMore: false })
  expect((await world.open()).map(({ domain }) => domain)).toEqual(['karoo-mail.co.za'])
  expect(await preview(world)).toEqual({ open: { low: 0, medium: 0, high: 0 }, isMore: false, through: null })
  expect((await reject(world, { through })).body).toEqual({ rejected: 0, isMore: false })
})

test('candidates that were added after the preview, and those of other confidences, stay open', async () => {
  const { world } = await worldWithMailHost(2)
  const { through, open } = await preview(world)
  await world.prospect('Later', { emails: ['later@mailhost.co.za'] })
  await world.follow()
  const [shown, other] = open.low > 0 ? (['low', 'high'] as const) : (['medium', 'high'] as const)
  const changes = await world.t.changes(async () => {
    expect((await reject(world, { through, bands: [other] })).body).toEqual({ rejected: 0, isMore: false })
  })
  expect(changes).toEqual({ idempotency_keys: 1 })
  expect((await reject(world, { through, bands: [shown] })).body.rejected).toBe(2)
  expect((await world.open('?domain=mailhost.co.za')).map(({ business }) => business.name)).toEqual(['Later'])
})

test('a rejected candidate opens again when its evidence changes, not by itself', async () => {
  const { world } = await worldWithMailHost(2)
  const { through } = await preview(world)
  const [candidate] = await world.open('?domain=mailhost.co.za')
  await reject(world, { through })
  await world.follow()
  expect(await world.open('?domain=mailhost.co.za')).toEqual([])
  await world.claim(candidate?.business.id ?? '', 'mailhost.co.za', { confidence: 'high' })
  await world.follow()
  expect(await world.open('?domain=mailhost.co.za')).toHaveLength(1)
})

test('only a person who decides may preview and reject, with a key, a reason and a candidate of the workspace', async () => {
  const { world } = await worldWithMailHost(1)
  const { through } = await preview(world)
  const { operator, viewer, t, manager } = world
  const foreign = await t.as('manager', 'other')
  const answers = [
    (await operator.get('/domain-rejections/preview?domain=mailhost.co.za')).status,
    (await reject(world, { through }, viewer)).status,
    (await reject(world, { through }, foreign)).status,
    (await reject(world, { through, reason: ' ' })).status,
    (await reject(world, { through: newId() })).status,
    (await reject(world, { through, bands: [] })).status,
    (await manager.post('/domain-rejections', { through, bands: ['low'], reason })).status,
    (await manager.get('/domain-rejections/preview?domain=co.za')).status,
    (await t.visitor().get('/domain-rejections/preview?domain=mailhost.co.za')).status,
  ]
  expect(answers).toEqual([403, 403, 404, 400, 404, 400, 400, 422, 401])
  expect(await world.open('?domain=mailhost.co.za')).toHaveLength(1)
})
