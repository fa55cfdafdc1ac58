import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../src/lib/ids.ts'
import type { Place } from '../src/rooms/fixture.ts'
import { ask, nameOf, seenVersion } from './asking.ts'
import { bodySchema, isIdentifierName, propertiesIn } from './body-schemas.ts'
import type { Answer } from './build-app.ts'
import { furnishedApp, nowhere } from './furnished.ts'
import { addressOf, bodyOf, declared, type Operation, operations, pathValues } from './operations.ts'

/*
 * Tests tenant isolation for every operation that takes an identifier in its path, its body or its query (Global rule 6). An attacker with every role
 * in their own tenant sends the identifiers of a victim in another tenant. The fixtures of the rooms define which record each identifier names; an
 * identifier without a case fails.
 */

const closed = operations.filter(({ isOpen }) => !isOpen)
const withPath = closed.filter(({ parameters }) => parameters.length > 0)
const named = withPath.filter((operation) => operation.case.takesAnyValue === undefined)

describe('another tenant', () => {
  test('gets 404 with the body of a missing record from every operation with an identifier in its path, and changes nothing', async () => {
    const { t, attacker, own, victim } = await twoTenants()
    const declaredNames = declared.filter(({ url, config }) => url.includes(':') && config?.open !== true)
    expect(withPath.map(({ id }) => id).toSorted()).toEqual(
      declaredNames.map(({ schema }) => schema?.operationId).toSorted(),
    )
    for (const operation of named) {
      const asked = async (where: Place) => {
        const headers = { 'if-match': '"2"' }
        return ask(operation, own, { client: attacker, headers, values: pathValues(operation, where) })
      }
      let foreign: Answer<unknown> | undefined
      const changes = await t.changes(async () => {
        foreign = await asked(victim)
      })
      expect([nameOf(operation), changes, foreign?.status]).toEqual([nameOf(operation), {}, 404])
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(await asked(nowhere(victim))))
    }
  })

  test('gets the answer of a value that nobody has from an operation with a value in its path', async () => {
    const { attacker, victim } = await twoTenants()
    const others = withPath.filter((operation) => !named.includes(operation))
    expect(others.length).toBeGreaterThan(0)
    for (const operation of others) {
      const asked = async (values: Record<string, string>) => {
        const answer = await ask(operation, victim, { client: attacker, values })
        const texts = Object.values(values)
        const text = texts.reduce(
          (left, value) => left.replaceAll(value, '…'),
          JSON.stringify(withoutRequestId(answer)),
        )
        return [nameOf(operation), answer.status, text]
      }
      const seen = pathValues(operation, victim)
      const unseen = Object.fromEntries(Object.keys(seen).map((name) => [name, operation.case.takesAnyValue ?? '']))
      const answer = await asked(seen)
      expect(answer).toEqual(await asked(unseen))
      expect(answer).toEqual([nameOf(operation), 200, expect.any(String)])
    }
  })

  test('gets 404 for a child requested under a parent of its own', async () => {
    const { attacker, own, victim } = await twoTenants()
    const nested = named.filter(({ parameters }) => parameters.length > 1)
    expect(nested.length).toBeGreaterThan(0)
    for (const operation of nested) {
      const child = operation.parameters.at(-1) ?? ''
      const values = { ...pathValues(operation, own), [child]: pathValues(operation, victim)[child] ?? '' }
      const { status } = await ask(operation, own, { client: attacker, headers: { 'if-match': '"2"' }, values })
      expect([nameOf(operation), status]).toEqual([nameOf(operation), 404])
    }
  })

  test('cannot refer to a foreign record from any body: it gets the response for a missing one, and changes no more than that', async () => {
    const { t, attacker, own, victim } = await twoTenants()
    const tried: string[] = []
    for (const operation of closed) {
      const references = operation.case.refersTo ?? {}
      const identifiers = propertiesIn(bodySchema(operation) ?? {}).filter(({ isIdentifier }) => isIdentifier)
      expect([operation.id, Object.keys(references).toSorted()]).toEqual([
        operation.id,
        identifiers.map(({ path }) => path).toSorted(),
      ])
      for (const [path, { names, answers, beside = bodyOf(operation, own) }] of Object.entries(references)) {
        tried.push(`${operation.id}.${path}`)
        const answerTo = async (where: Place) => {
          const body = withValue(beside, path, where[names])
          let status: number | undefined
          const changes = await t.changes(async () => {
            const headers = await seenVersion(operation, own, attacker)
            status = (await ask(operation, own, { client: attacker, headers, body })).status
          })
          return { name: `${operation.id}.${path}`, status, changes }
        }
        const answer = await answerTo(victim)
        expect(answer).toMatchObject({ status: answers, ...(answers === 201 ? {} : { changes: {} }) })
        // A refused attempt to approve is recorded once a minute. The read stores the time in the session before changes are compared.
        if ('audit_events' in answer.changes && answers !== 201) {
          t.clock.advance(60_000)
          await attacker.get('/businesses')
        }
        expect(answer).toEqual(await answerTo(nowhere(victim)))
      }
    }
    expect(tried.length).toBeGreaterThan(8)
  })

  test('sees nothing of the victim in any list, and gets 404 for a list about a foreign record as about a missing one', async () => {
    const { attacker, own, victim } = await twoTenants()
    const secret = Object.values(victim).filter((value) => value !== victim.password)
    const lists = closed.filter(({ method, case: { isStream } }) => method === 'get' && isStream !== true)
    const asked: string[] = []
    for (const operation of lists) {
      const { filtersBy = {} } = operation.case
      const filters = filtersOf(operation)
      expect([operation.id, Object.keys(filtersBy).toSorted()]).toEqual([operation.id, Object.keys(filters).toSorted()])
      const whole = addressOf(operation, own)
      const path = whole.replace(/\?.*/, '')
      const foreign = Object.entries(filtersBy).map(([name, record]) => [name, victim[record]] as const)
      const missing = Object.keys(filtersBy).map((name) => [name, newId()] as const)
      if (operation.parameters.length === 0) foreign.push(['', ''])
      for (const [name, value] of [...foreign, ...missing]) {
        const asking = name === '' ? whole : `${path}?${name}=${value}`
        const { status, body } = await attacker.get(asking)
        expect([asking, status]).toEqual([asking, filters[name] === 'record' ? 404 : 200])
        const text = JSON.stringify(body)
        for (const identifier of secret) expect(text, asking).not.toContain(identifier)
        if (filters[name] === 'record') asked.push(name)
      }
    }
    expect(asked.length).toBeGreaterThan(10)
  })
})

/** Returns the query parameters that refer to a record, each with whether it takes nothing but the id of a record. */
function filtersOf({ schema: { querystring } }: Operation): Record<string, 'record' | 'other'> {
  const { properties = {} } =
    querystring instanceof z.ZodObject ? z.toJSONSchema(querystring, { io: 'input', unrepresentable: 'any' }) : {}
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, one]) => isIdentifierName(name) || Object(one).format === 'uuid')
      .map(([name, one]) => [name, Object(one).format === 'uuid' ? 'record' : 'other']),
  )
}

function withoutRequestId(answer: Answer<unknown> | undefined): unknown {
  return { ...(typeof answer?.body === 'object' ? answer.body : {}), requestId: '' }
}

/** Returns this body with a value at a path; `*` stands for any name. */
function withValue(body: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.')
  const within = typeof body === 'object' && body !== null ? body : {}
  const key = name === '*' ? 'name' : name
  const inner = Object.entries(within).find(([one]) => one === key)?.[1]
  return { ...within, [key]: rest.length === 0 ? value : withValue(inner, rest.join('.'), value) }
}

async function twoTenants() {
  const { t, place, foreign } = await furnishedApp()
  return { t, attacker: await t.as('administrator'), own: place, victim: foreign }
}
