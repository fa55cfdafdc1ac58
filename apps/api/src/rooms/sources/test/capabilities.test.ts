import { expect, test } from 'vitest'
import { assistWorld } from '../../../../test/assist-world.ts'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { answeredBy, dnsWorld, failedBy } from '../../../../test/dns-world.ts'
import { sourceWorld } from '../../../../test/source-world.ts'
import type { Capability } from '../../define-facts.ts'
import { webWorld } from '../../scanning/test/web-world.ts'

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

test('without an adapter each phase states that, and with a loaded one that no source is enabled', async () => {
  const none = await reported(await buildTestApp().then((t) => t.as('operator')))
  const world = await sourceWorld()
  const loaded = await reported(world.operator)
  for (const phase of phases) {
    expect([phase, none(phase)?.status]).toEqual([phase, 'contract_only'])
    expect(none(phase)?.reason).toContain('no adapter is loaded')
    expect([phase, loaded(phase)?.status]).toEqual([phase, 'contract_only'])
    expect(loaded(phase)?.reason).not.toContain('adapter')
  }
  expect(loaded(5)?.reason).toContain('no source of any purpose is enabled')
  expect(loaded(7)?.reason).toContain('no source of DNS is enabled, so no DNS query is sent')
  expect(loaded(8)?.reason).toContain('no source of web pages is enabled')
  expect(loaded(9)?.reason).toContain('Extraction is not enabled in this workspace')
  expect(loaded(13)?.status).toBe('disabled')
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
