import { describe, type ExpectStatic, test } from 'vitest'
import type { Place } from '../../src/rooms/fixture.ts'
import { MAX_STORED_RESULT_BYTES } from '../../src/store/change/idempotency.ts'
import { anotherBody, ask, askRefused, isSuccess, nameOf, picked, seenAs } from '../asking.ts'
import type { Answer, TestApp, TestClient } from '../build-app.ts'
import { colleague, furnishedApp, type Places } from '../furnished.ts'
import { markedBodies } from '../marked-bodies.ts'
import { byRoom, type Operation } from '../operations.ts'
import type { Problem } from '../prospects.ts'
import type { Headers } from '../test-client.ts'

/*
 * Tests the Idempotency-Key of each POST that accepts one. One request that succeeds serves all tests of an operation, because creating an app with its
 * records takes longer than the requests.
 */

type Case = Places & {
  expect: ExpectStatic
  t: TestApp
  post: Operation
  client: TestClient
  headers: Headers
  /** the response to the first request with the key */
  first: Answer<Problem>
}

const decidesOnce = ({ case: { answersAgain } }: Operation) => answersAgain !== undefined

/** Returns true if the fixtures can make the request succeed. The replay of any other request is tested in its own room. */
const succeeds = ({ case: { answers = 200 } }: Operation) => answers < 400

/** Operations by room. An operation that decides a record once is a group of its own, so that it has its own records. */
const groups = byRoom((post) => post.takesKey && succeeds(post)).flatMap(([room, posts]): [string, Operation[]][] => [
  [room, posts.filter((post) => !decidesOnce(post))],
  ...posts.filter(decidesOnce).map((post): [string, Operation[]] => [`${room}, ${nameOf(post)}`, [post]]),
])

describe.each(groups.filter(([, posts]) => posts.length > 0))(
  'every POST of %s with an Idempotency-Key',
  (_room, posts) => {
    test('runs once, stores ids only, is refused to another person, for another body or record, and is free in another tenant', async ({
      expect,
    }) => {
      const { t, ...places } = await furnishedApp()
      const client = await t.as('administrator')
      const other = await colleague(t)
      for (const [index, post] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        const first = await ask(post, places.place, { client, headers })
        expect([nameOf(post), first.status]).toEqual([nameOf(post), expect.toSatisfy(isSuccess)])
        expect(first.headers['idempotency-replayed']).toBeUndefined()
        const one: Case = { ...places, expect, t, post, client, headers, first }
        await holdsToReplay(one)
        await holdsToReuse(one)
        await holdsToOtherPerson(one, other)
        await holdsToOtherTenant(one)
      }
      await sendMarked(posts, places.place, client)
      expect(await storedRecords(t)).toEqual([])
    })
  },
)

test('a POST is refused with an unprintable or overlong key, and without a key that it requires', async ({
  expect,
}) => {
  const { t, place } = await furnishedApp()
  const client = await t.as('administrator')
  const posts = groups.flatMap(([, ofGroup]) => ofGroup)
  const keys = ['', 'k'.repeat(256), 'sleutel-é', 'a\tb'].map((key): Headers => ({ 'idempotency-key': key }))
  const refused = await askRefused(t, posts, place, [client], { headers: keys })
  expect(refused.filter(({ answer }) => answer.status !== 400).map(seenAs)).toEqual([])
  const keyed = posts.filter(({ needsKey }) => needsKey)
  const keyless = await askRefused(t, keyed, place, [client], { headers: [{ 'idempotency-key': undefined }] })
  expect(keyless.map(seenAs)).toEqual(keyed.map((post) => [nameOf(post), 400, 'idempotency_key_required']))
})

/** Text in every body that `sendMarked` sends. */
const MARK = 'quagga'

/** Sends each request with a text of a person in every property that accepts one. Whether it succeeds is tested elsewhere. */
async function sendMarked(posts: readonly Operation[], place: Place, client: TestClient): Promise<void> {
  for (const [index, post] of posts.entries())
    for (const [number, body] of markedBodies(post, place, MARK).entries())
      await ask(post, place, { client, headers: { 'idempotency-key': `marked-${index}-${number}` }, body })
}

/** An id, a time or a code. A stored result contains no other text, because a name, a reason or an address is read again at the replay. */
const isReference = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|[a-z][a-z_]{0,39})$/

/** Returns the stored results that are too large, or that contain anything but ids, times, codes, numbers and flags. */
async function storedRecords({ store }: TestApp): Promise<string[]> {
  const rows = await store.reader.selectFrom('idempotency_keys').select('result').execute()
  if (rows.length === 0) throw new Error('No result is stored.')
  return rows
    .map(({ result }) => result)
    .filter(
      (result) =>
        Buffer.byteLength(result) > MAX_STORED_RESULT_BYTES ||
        result.includes(MARK) ||
        !textsIn(JSON.parse(result)).every((text) => isReference.test(text)),
    )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** A replay returns the response again, says so, and writes nothing. */
async function holdsToReplay({ expect, t, place, post, client, headers, first }: Case): Promise<void> {
  const replays: Answer<Problem>[] = []
  const changes = await t.changes(async () => {
    replays.push(await ask(post, place, { client, headers }))
  })
  expect([nameOf(post), changes]).toEqual([nameOf(post), {}])
  expect(replays).toEqual([
    {
      status: first.status,
      body: first.body,
      headers: expect.objectContaining({
        'idempotency-replayed': 'true',
        ...picked(first.headers, ['location', 'etag']),
      }),
    },
  ])
}

/** A key that was used for another body or another record is refused, and nothing changes. */
async function holdsToReuse({ expect, t, place, neighbour, post, client, headers }: Case): Promise<void> {
  const body = anotherBody(post, place)
  const answers: Answer<Problem>[] = []
  const changes = await t.changes(async () => {
    if (body !== undefined) answers.push(await ask(post, place, { client, headers, body }))
    if (post.parameters.length > 0) answers.push(await ask(post, neighbour, { client, headers }))
  })
  expect([nameOf(post), changes, answers.length > 0]).toEqual([nameOf(post), {}, true])
  for (const answer of answers)
    expect([nameOf(post), answer]).toMatchObject([
      nameOf(post),
      { status: 422, body: { code: 'idempotency_key_reused' } },
    ])
}

/** Another person with the same request is refused without the response. A job is returned. */
async function holdsToOtherPerson({ expect, t, place, post, headers, first }: Case, other: TestClient): Promise<void> {
  const answers: Answer<Problem>[] = []
  const changes = await t.changes(async () => {
    answers.push(await ask(post, place, { client: other, headers }))
  })
  expect([nameOf(post), changes]).toEqual([nameOf(post), {}])
  const refusal = {
    status: 422,
    title: 'Idempotency-Key reused',
    code: 'idempotency_key_reused',
    detail: 'This Idempotency-Key was already used, for another request or by another person. Send a new key.',
  }
  const [answer] = answers
  const told = ['location', 'etag', 'idempotency-replayed']
  expect([nameOf(post), answer?.status, answer?.body, picked(answer?.headers ?? {}, told)]).toEqual(
    post.case.createsJob === true
      ? [nameOf(post), first.status, first.body, { ...picked(first.headers, told), 'idempotency-replayed': 'true' }]
      : [nameOf(post), 422, { ...refusal, type: expect.any(String), requestId: expect.any(String) }, {}],
  )
}

/** Another tenant may use the same key for a request of its own. */
async function holdsToOtherTenant({ expect, t, foreign, post, headers }: Case): Promise<void> {
  const client = await t.as('administrator', 'other')
  const { status, headers: answered } = await ask(post, foreign, { client, headers })
  expect([nameOf(post), status, answered['idempotency-replayed']]).toEqual([
    nameOf(post),
    expect.toSatisfy(isSuccess),
    undefined,
  ])
}
