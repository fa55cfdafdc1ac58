import { expect, test } from 'vitest'
import { eachIsolated } from './each-isolated.ts'

test('a failure stops no other item, and all failures are thrown at the end', async () => {
  const done: string[] = []
  const work = async (id: string) => {
    if (id !== 'b') throw new Error(`No ${id}.`)
    done.push(id)
  }
  const failed = await eachIsolated('tenant', ['a', 'b', 'c'], work).catch((error: unknown) => error)
  expect(done).toEqual(['b'])
  expect(failed).toMatchObject({
    message: 'It failed for some of the tenants.',
    errors: [{ message: 'It failed for the tenant a.', cause: { message: 'No a.' } }, { cause: { message: 'No c.' } }],
  })
  await expect(eachIsolated('tenant', ['b'], work)).resolves.toBeUndefined()
})
