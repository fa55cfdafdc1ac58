import { expect, test } from 'vitest'
import { CheckFailed } from '../../acceptance/acceptance-client.ts'
import type { World } from '../../acceptance/gates.ts'
import { attempt } from './run-acceptance.ts'

const world = {} as World
const check = (run: () => Promise<string>) => ({ name: 'it holds', run })

test('a check passes with what it found, and fails with its message', async () => {
  expect(
    await attempt(
      check(() => Promise.resolve('Seen.')),
      world,
    ),
  ).toEqual({
    name: 'it holds',
    passed: true,
    found: 'Seen.',
  })
  const failed = await attempt(
    check(() => Promise.reject(new CheckFailed('It was refused.'))),
    world,
  )
  expect(failed).toMatchObject({ passed: false, found: 'It was refused.' })
  const broken = await attempt(
    check(() => Promise.reject(new Error('ECONNRESET'))),
    world,
  )
  expect(broken).toMatchObject({ passed: false, found: 'It could not be tested: ECONNRESET' })
})

test('a check that hangs has failed', async () => {
  const hung = await attempt(
    check(() => new Promise(() => {})),
    world,
    20,
  )
  expect(hung).toEqual({ name: 'it holds', passed: false, found: 'It timed out after 0.02 seconds.' })
})
