import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Place } from '../src/rooms/fixture.ts'
import { ask, freshClient, isSuccess, nameOf, seenVersion } from './asking.ts'
import { buildTestApp, TEST_PASSWORD, type TestApp, type TestClient } from './build-app.ts'
import { furnishedApp } from './furnished.ts'
import { markedBodies } from './marked-bodies.ts'
import { addressOf, bodyOf, fill, type Operation, operations } from './operations.ts'
import { createProspect, seen } from './prospects.ts'
import type { Headers } from './test-client.ts'
import { writerOf } from './writer-of.ts'

/**
 * Text that this test puts into every body, search, reason, address and key that it sends. If the log contains it, the log contains text of a person.
 */
const MARK = 'quagga'

/** Sends each change once correctly, and once in each incorrect way. */
async function askChange(t: TestApp, operation: Operation, place: Place, client: TestClient): Promise<number[]> {
  const values = Object.fromEntries(operation.parameters.map((name) => [name, MARK]))
  const statuses: number[] = []
  const key = { 'idempotency-key': `${MARK}-key ${operation.id}` }
  const marked = markedBodies(operation, place, MARK)
  const valid = bodyOf(operation, place) ?? null
  // Send wrong proofs of identity last. They are counted, so they would delay the correct proof.
  for (const body of operation.case.isOfAccounts === true ? [valid, ...marked] : [...marked, valid]) {
    const sent = typeof body === 'object' ? { ...body } : {}
    const ways: { body: unknown; headers?: Headers }[] = [
      { body, headers: key },
      ...(operation.wantsVersion ? [{ body, headers: await seenVersion(operation, place, client) }] : []),
      { body: { ...sent, [MARK]: MARK } },
      { body: `{"${MARK}"` },
      { body: JSON.stringify(body), headers: { 'content-type': `text/${MARK}` } },
      { body, headers: { 'x-csrf-token': MARK } },
      { body, headers: { origin: `https://${MARK}.example` } },
      { body, headers: { cookie: `prospect_session=${MARK}` } },
      { body: { ...sent, text: MARK.repeat(60_000) } },
      ...['"1"', '"99"', MARK].map((tag) => ({ body, headers: { 'if-match': tag } })),
    ]
    for (const way of ways) {
      const one = operation.case.endsSessions === true ? await freshClient(t, 'administrator') : client
      statuses.push((await ask(operation, place, { client: one, ...way })).status)
      if (operation.parameters.length > 0) await ask(operation, place, { client: one, ...way, values })
    }
  }
  return statuses
}

/** Sends a query that contains the mark in each of its parameters. */
async function askQuestion(operation: Operation, place: Place, client: TestClient): Promise<void> {
  const address = addressOf(operation, place)
  const marked = Object.fromEntries(operation.parameters.map((name) => [name, MARK]))
  const queries = [
    '',
    `?${MARK}=${MARK}`,
    ...parametersOf(operation).flatMap((name) => [`?${name}=${MARK}`, `?${name}=${MARK.slice(0, 2)}`]),
  ]
  for (const query of queries) {
    await client.get(address + query)
    if (operation.parameters.length > 0) await client.get(fill(operation, marked) + query)
  }
}

function parametersOf({ schema: { querystring } }: Operation): string[] {
  return typeof querystring === 'object' && querystring !== null && 'shape' in querystring
    ? Object.keys(Object(querystring.shape))
    : []
}

test('no log line contains a body, a search text, a reason, an address, a key, a cookie, a password or a token, for any request and outcome', async () => {
  const routes = new Set<string>()
  const onRoute = ({ method, url }: RouteOptions) => {
    if (!url.startsWith('/api/v1/docs')) for (const one of [method].flat()) routes.add(`${one} ${url}`)
  }
  const { t, place } = await furnishedApp({ onRoute })
  const visitor = t.visitor()
  const { email } = t.tenants.home.users.administrator
  await visitor.post('/session', { email: `${MARK}@home.example`, password: `${MARK} password` })
  const { headers, body } = await visitor.post<{ csrfToken: string }>('/session', { email, password: TEST_PASSWORD })
  const token = /prospect_session=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
  expect(token.length).toBeGreaterThan(20)
  const client = t.withSession(token)
  const about = `/businesses/${place.businessId}`
  const { headers: seenOf } = await client.get(about)
  const marked = { name: `${MARK} name`, emails: [{ value: `${MARK}@karoo.co.za` }] }
  expect(await client.patch(about, marked, { 'if-match': String(seenOf.etag) })).toMatchObject({ status: 200 })

  // Erase a record, and after that end sessions, as the last operations.
  const turnOf = ({ id, case: { endsSessions } }: Operation) =>
    endsSessions === true ? 2 : id === 'eraseBusiness' ? 1 : 0
  const inOrder = operations.toSorted((one, other) => turnOf(one) - turnOf(other))
  const never: string[] = []
  for (const operation of inOrder) {
    if (operation.method === 'get') await askQuestion(operation, place, client)
    else {
      const statuses = await askChange(t, operation, place, client)
      if (operation.case.answers === undefined && !statuses.some(isSuccess)) never.push(nameOf(operation))
    }
  }
  expect(never).toEqual([])
  for (const target of [`/businesses/%E0%A4%A${MARK}`, `/${MARK}`, '/openapi.json']) await client.get(target)
  await client.delete('/session')

  const log = t.logged().toLowerCase()
  const unasked = [...routes].filter((route) => !log.includes(`"route":"${route.split(' ')[1]?.toLowerCase()}"`))
  expect(unasked).toEqual([])
  const person = t.tenants.home.users.administrator
  const secrets = [
    MARK,
    TEST_PASSWORD,
    token,
    body.csrfToken,
    person.email,
    person.name,
    'karoo.co.za',
    seen.sourceLabel,
  ]
  expect(secrets.filter((secret) => log.includes(secret.toLowerCase()))).toEqual([])
})

test('a fault of the store is logged without the content of its request', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { name: MARK })
  await (await writerOf(t.store)).destroy()
  const answers = [
    await operator.post('/businesses', { name: MARK }),
    await operator.post(`/businesses/${id}/notes`, { text: `${MARK} note` }),
    await operator.patch(`/businesses/${id}`, { name: MARK }, { 'if-match': '"1"' }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${MARK}|sqlite|insert|select`, 'i'))
  }
  const lines = t.logged().split('\n')
  expect(lines.filter((line) => line.includes('"level":50')).length).toBe(answers.length)
  expect(lines.filter((line) => line.includes(MARK))).toEqual([])
})
