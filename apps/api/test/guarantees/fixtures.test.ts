import { expect, test } from 'vitest'
import { bodySchema, holds, propertiesIn } from '../body-schemas.ts'
import { furnishedApp } from '../furnished.ts'
import { bodyOf, declared, fixtures, operations, otherBodiesOf } from '../operations.ts'

const cases = [...fixtures.values()].flatMap(({ cases: ofRoom }) => Object.keys(ofRoom))

test('every operation has one case in a fixture, and every case an operation', () => {
  expect(cases.toSorted()).toEqual(declared.map(({ schema }) => schema?.operationId).toSorted())
})

test('every operation requires the permission that its case names', () => {
  const asked = operations.map(({ id, permission, isOpen }) => [id, isOpen ? 'open' : permission])
  expect(asked).toEqual(operations.map(({ id, case: one }) => [id, one.permission]))
})

test('every POST accepts an Idempotency-Key, or its case says why it accepts none', () => {
  const posts = operations.filter(({ method }) => method === 'post')
  const keyless = posts.filter(({ takesKey }) => !takesKey).map(({ id }) => id)
  const saysWhy = posts.filter(({ case: { asksOnly, isOfAccounts } }) => asksOnly === true || isOfAccounts === true)
  expect(saysWhy.map(({ id }) => id).toSorted()).toEqual(keyless.toSorted())
})

test('every PATCH and PUT requires the version that was read', () => {
  const patches = operations.filter(({ method }) => method === 'patch' || method === 'put')
  expect(patches.filter(({ wantsVersion }) => !wantsVersion)).toEqual([])
})

test('the body of every case is complete: it has each property that the request accepts, except identifiers', async () => {
  const { place } = await furnishedApp()
  const missing = operations.flatMap((operation) => {
    const schema = bodySchema(operation)
    const bodies = [bodyOf(operation, place), ...otherBodiesOf(operation, place)]
    const properties = schema === undefined ? [] : propertiesIn(schema)
    return properties
      .filter(
        ({ path, isIdentifier }) => !isIdentifier && !path.endsWith('*') && !bodies.some((body) => holds(body, path)),
      )
      .map(({ path }) => `${operation.id}.${path}`)
  })
  expect(missing).toEqual([])
})
