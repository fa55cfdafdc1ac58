import { expect, test } from 'vitest'
import { assistWorld } from '../../../../test/assist-world.ts'
import type { TestClient } from '../../../../test/build-app.ts'
import { answeredBy, dnsWorld } from '../../../../test/dns-world.ts'
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

test('a loaded adapter alone makes no phase operational', async () => {
  const world = await sourceWorld()
  expect(await statuses(world.operator)).toEqual([
    ...['contract_only', 'contract_only', 'contract_only', 'contract_only', 'disabled'],
  ])
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
