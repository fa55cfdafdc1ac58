import { LOOPBACK, rawServer } from '@prospect/adapter-contract/test-kit/servers'
import { expect, test } from 'vitest'
import { assistWorld, suggested } from '../../../../apps/api/test/assist-world.ts'
import { addEvidenceTo } from '../../../../apps/api/test/prospects.ts'
import { openAiCompatibleAdapter } from '../src/adapter.ts'
import { limits } from './prompt.ts'

/* Tests suggestions of the API with the real transport against a model server on loopback. The requests are sent through the source registry. */

test('a silent model is a timeout, and the circuit opens after the failures in a row that the contract names', async () => {
  const server = await rawServer(() => {})
  const transport = await openAiCompatibleAdapter({
    baseUrl: `http://${LOOPBACK}:${server.port}/v1`,
    model: 'silent',
    limits,
  }).load()
  const world = await assistWorld((input) => transport.request(input), {
    contract: {
      timeoutMs: 1_000,
      circuit: { failureRatio: 1, consecutiveFailures: 2, latencyMs: 100_000, closeAfterSuccesses: 1 },
    },
  })
  await world.approvedPolicy()
  const { id } = await addEvidenceTo(world.operator, world.businessId, {
    sourceLabel: 'Company register',
    capturedAt: '2026-11-20T09:00:00Z',
    confidence: 'high',
    observation: null,
    field: 'industry',
    value: 'Windpumps',
  })
  const reasonOf = async () => (await suggested(world, [id])).result?.reason
  expect([await reasonOf(), await reasonOf()]).toEqual(['timeout', 'timeout'])
  expect(server.connections()).toBe(2)
  expect(await world.read(world.sourceId)).toMatchObject({ circuit: { state: 'open', cause: 'consecutive_failures' } })
  const { body } = await world.author.get<{ items: object[] }>(`/sources/${world.sourceId}/health?interval=day`)
  expect(body.items).toMatchObject([{ requests: 2, timeouts: 2, errors: 0 }])
})
