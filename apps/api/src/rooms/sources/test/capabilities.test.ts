import { expect, test } from 'vitest'
import { assistWorld } from '../../../../test/assist-world.ts'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { answeredBy, dnsWorld, failedBy } from '../../../../test/dns-world.ts'
import { sourceWorld } from '../../../../test/source-world.ts'
import type { Capability } from '../../define-facts.ts'
import { webWorld } from '../../scanning/test/web-world.ts'
import { desks } from '../sources.table.ts'

/* A phase that needs a source is operational in a tenant only while an enabled source with a loaded adapter serves it. */

async function reported(client: TestClient) {
  const { body } = await client.get<{ items: Capability[] }>('/capabilities')
  return (phase: number) => body.items.find((one) => one.phase === phase)
}
async function statuses(client: TestClient) {
  const of = await reported(client)
  return [5, 7, 8, 9, 13].map((phase) => of(phase)?.status)
}

const phases = [5, 7, 8, 9]

test('without an adapter each phase states that, and with a loaded one which adapter or source is missing', async () => {
  const none = await reported(await buildTestApp().then((t) => t.as('operator')))
  const world = await sourceWorld()
  const loaded = await reported(world.operator)
  for (const phase of phases) {
    expect([phase, none(phase)?.status]).toEqual([phase, 'contract_only'])
    expect(none(phase)?.reason).toContain('no adapter is loaded')
    expect([phase, loaded(phase)?.status]).toEqual([phase, 'contract_only'])
    expect(loaded(phase)?.reason).not.toContain('no adapter is loaded')
  }
  expect(loaded(5)?.reason).toContain('no source of any purpose is registered, so no query is sent')
  expect(loaded(7)?.reason).toContain('no adapter for DNS is loaded, so no DNS query is sent')
  expect(loaded(8)?.reason).toContain('no adapter for web pages is loaded')
  expect(loaded(9)?.reason).toContain('Extraction is not enabled in this workspace')
  expect(loaded(13)?.status).toBe('disabled')
})

test('the reason follows a source from its proposal to its enablement', async () => {
  const world = await sourceWorld()
  const reason = async () => (await reported(world.operator))(5)?.reason
  const { id } = await world.propose()
  expect(await reason()).toContain('the adapter for any purpose is loaded, but no source of any purpose is approved')
  for (const desk of desks) expect((await world.approve(id, desk)).status).toBe(200)
  expect(await reason()).toContain('a source of any purpose is approved but not enabled')
  expect((await world.enable(id)).status).toBe(200)
  expect(await reason()).toContain('one serves business records')
})

test('phases that the specification limits to a pilot state what that means and what goes beyond it', async () => {
  const of = await reported(await buildTestApp().then((t) => t.as('operator')))
  for (const phase of [4, 6, 10, 11, 12])
    expect([phase, of(phase)?.pilot]).toEqual([
      phase,
      expect.stringMatching(/^Operational, pilot.* beyond the pilot\.$/),
    ])
  expect(of(14)?.pilot).toMatch(/^Operational, preparation only.* beyond the preparation\.$/)
  for (const phase of [3, 5, 7, 8, 9, 13, 15, 17]) expect([phase, of(phase)?.pilot]).toEqual([phase, null])
})

test('no configuration claims an answer about availability', async () => {
  const dns = await dnsWorld(({ query }) => answeredBy(query))
  for (const client of [await buildTestApp().then((t) => t.as('operator')), dns.operator])
    expect((await reported(client))(7)?.reason).toContain('no provider of availability exists')
  const proposal = await dns.author.post('/sources', {
    slug: 'availability',
    name: 'Availability',
    adapter: { id: 'fixture', version: '1.0.0' },
    contract: dns.wholeContract({ purposes: ['domain_availability'] }),
  })
  expect(proposal).toMatchObject({ status: 400, body: { errors: [{ path: 'contract.purposes.0' }] } })
})

test('a source whose circuit is open serves nothing, and the phases state that it was stopped', async () => {
  const world = await dnsWorld(({ query }) => failedBy(query, 'timeout'), {
    circuit: { failureRatio: 1, consecutiveFailures: 1, latencyMs: 4_000, closeAfterSuccesses: 1 },
  })
  await world.checked('karoo.co.za')
  const of = await reported(world.author)
  expect([5, 7].map((phase) => of(phase)?.status)).toEqual(['contract_only', 'contract_only'])
  expect(of(7)?.reason).toContain('the source of DNS was stopped after failures, so no DNS query is sent')
})

test('an enabled source of business records serves phase 5 of its own workspace until it is disabled', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const of = await reported(world.operator)
  expect([5, 7, 8].map((phase) => of(phase)?.status)).toEqual(['operational', 'contract_only', 'contract_only'])
  expect(of(5)?.reason).toContain('serves business records')
  const other = await reported(await world.t.as('administrator', 'other'))
  expect(other(5)?.status).toBe('contract_only')
  await world.author.post(`/sources/${id}/disablement`, { reason: 'Stopped.' })
  expect((await reported(world.operator))(5)?.status).toBe('contract_only')
})

test('an enabled resolver serves phase 7, and an enabled source of pages phase 8 but not extraction', async () => {
  const dns = await dnsWorld(({ query }) => answeredBy(query))
  expect((await statuses(dns.author)).slice(0, 3)).toEqual(['operational', 'operational', 'contract_only'])
  const web = await webWorld()
  expect(await statuses(await web.t.as('operator'))).toEqual([
    ...['operational', 'contract_only', 'operational', 'contract_only', 'disabled'],
  ])
})

test('assistance names what is missing while an adapter is loaded, and is operational once every item is recorded', async () => {
  const world = await assistWorld()
  const before = (await reported(world.operator))(13)
  expect(before?.status).toBe('disabled')
  expect(before?.reason).toContain('assistance is off until these are recorded:')
  expect(before?.reason).toContain('approval')
  await world.approvedPolicy()
  expect((await reported(world.operator))(13)?.status).toBe('operational')
})
