import { expect, test } from 'vitest'
import { z } from 'zod'
import { TOO_EARLY } from '../../src/http/text.ts'
import { bodySchema, holds, propertiesIn, type Schema } from '../body-schemas.ts'
import { furnishedApp } from '../furnished.ts'
import { replaced, valueAt } from '../marked-bodies.ts'
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

/** Refused when the contract is proposed, because stored contracts are read with the same schema; the test of the registry holds it. */
const refusedLater = ['createSource.contract.terms.reviewDueOn', 'saveSourceVersion.contract.terms.reviewDueOn']

/** Returns `date` or `date-time` for the schema of a day or time. */
function datedFormat({ format, anyOf = [] }: Schema): string | undefined {
  return format === 'date' || format === 'date-time' ? format : anyOf.map(datedFormat).find(Boolean)
}

const mistyped = (format: string) => (format === 'date' ? '0026-11-28' : '0026-11-28T08:30:00Z')
const earlyConditions = [{ field: 'createdAt', op: 'between', values: [mistyped('date-time'), null] }]
/** The refusal of a choice in a union lists those of its members. */
const isTooEarlyIn = (schema: z.ZodType, body: unknown) =>
  JSON.stringify(schema.safeParse(body).error?.issues ?? []).includes(TOO_EARLY)

test('every day and time of a body is refused in a year before 1900, such as a mistyped 0026', async () => {
  const { place } = await furnishedApp()
  const accepted: string[] = []
  const refused: string[] = []
  for (const operation of operations) {
    const { id, body: schema } = operation
    const described = bodySchema(operation)
    if (schema === undefined || described === undefined) continue
    const bodies = [bodyOf(operation, place), ...otherBodiesOf(operation, place)]
    for (const { path, schema: own } of propertiesIn(described)) {
      const format = datedFormat(own)
      if (format === undefined) continue
      const tried = bodies.filter((body) => holds(body, path))
      const isRefused = tried.some((body) => isTooEarlyIn(schema, replaced(body, path.split('.'), mistyped(format))))
      const list = isRefused ? refused : accepted
      list.push(`${id}.${path}`)
    }
    // The values of conditions are alternatives in a list, so no property is their own.
    for (const { path } of propertiesIn(described).filter((one) => /(^|\.)(conditions|filter)$/.test(one.path)))
      for (const body of bodies.filter((one) => Array.isArray(valueAt(one, path.split('.'))))) {
        const list = isTooEarlyIn(schema, replaced(body, path.split('.'), earlyConditions)) ? refused : accepted
        list.push(`${id}.${path}`)
      }
  }
  expect([...new Set(accepted)].toSorted()).toEqual(refusedLater.toSorted())
  expect(refused).toEqual(
    expect.arrayContaining([
      'addInteraction.followUpOn',
      'addEvidence.capturedOn',
      'createReport.from',
      'createExport.filter',
    ]),
  )
})

test('every day and time of a query is refused in a year before 1900', () => {
  const refused = operations.flatMap(({ id, schema: { querystring } }) => {
    if (!(querystring instanceof z.ZodType)) return []
    const { properties = {} } = z.toJSONSchema(querystring, {
      io: 'input',
      unrepresentable: 'any',
      reused: 'inline',
    }) as Schema
    return Object.entries(properties).flatMap(([name, own]) => {
      const format = datedFormat(own)
      if (format === undefined) return []
      const { error } = querystring.safeParse({ [name]: mistyped(format) })
      const messages = error?.issues.flatMap(({ path, message }) => (path[0] === name ? [message] : []))
      return [[`${id}.${name}`, messages]]
    })
  })
  expect(refused).toEqual(refused.map(([name]) => [name, [TOO_EARLY]]))
  expect(refused.map(([name]) => name)).toEqual(expect.arrayContaining(['listBusinesses.updatedFrom', 'getBrief.on']))
})
