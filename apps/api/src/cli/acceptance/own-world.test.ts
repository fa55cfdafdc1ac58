import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/template-store.ts'
import type { World } from '../../acceptance/gates.ts'
import { rooms } from '../../rooms/index.ts'
import { loadGates } from './load-gates.ts'
import { inOwnWorld } from './own-world.ts'

/** The checks that run in a store of the run's own process. They need nothing else of a world. */
const checks = (await loadGates(rooms))
  .flatMap((gate) => gate.checks)
  .filter(({ name }) => name.startsWith('fixtures of '))

test('there are fixtures of pages and of official sites', () => {
  expect(checks.length).toBeGreaterThanOrEqual(8)
})

test.each(checks)('$name', { timeout: 60_000 }, async ({ run }) => {
  const folder = temporaryFolder()
  const found = await run({ inProcess: (check, adapters) => inOwnWorld(folder, check, adapters) } as World)
  expect(found).toMatch(/\.$/)
})

test('a check that opens a connection fails', async () => {
  const check = inOwnWorld(temporaryFolder(), async () => {
    expect(() => connect(9, '127.0.0.1')).toThrow('The network is not available here')
    return 'It went unnoticed.'
  })
  await expect(check).rejects.toThrow('The network was used: a TCP connection.')
})
