import { describe, test } from 'vitest'
import { anotherBody, ask, askRefused, isSuccess, nameOf, picked, seenAs } from '../asking.ts'
import type { Answer } from '../build-app.ts'
import { colleague, furnishedApp } from '../furnished.ts'
import { byRoom, type Operation } from '../operations.ts'
import type { Problem } from '../prospects.ts'
import type { Headers } from '../test-client.ts'

/* Tests the Idempotency-Key of each POST that accepts one. */

const decidesOnce = ({ case: { answersAgain } }: Operation) => answersAgain !== undefined

/** A request that the fixtures cannot make succeed has its replay in a test of its room. */
const succeeds = ({ case: { answers = 200 } }: Operation) => answers < 400

/** An operation that decides once has its own records for each test. */
const groups = byRoom((post) => post.takesKey && succeeds(post)).flatMap(([room, posts]): [string, Operation[]][] => [
  [room, posts.filter((post) => !decidesOnce(post))],
  ...posts.filter(decidesOnce).map((post): [string, Operation[]] => [`${room}, ${nameOf(post)}`, [post]]),
])

describe.each(groups.filter(([, posts]) => posts.length > 0))(
  'every POST of %s with an Idempotency-Key',
  (_room, posts) => {
    test('runs once: a replay returns the stored response, says so, and writes nothing', async ({ expect }) => {
      const { t, place } = await furnishedApp()
      const client = await t.as('administrator')
      for (const [index, post] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        const first = await ask(post, place, { client, headers })
        expect([nameOf(post), first.status]).toEqual([nameOf(post), expect.toSatisfy(isSuccess)])
        expect(first.headers['idempotency-replayed']).toBeUndefined()
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
    })

    test('is refused when the key was used for another body or another record, and changes nothing', async ({
      expect,
    }) => {
      const { t, place, neighbour } = await furnishedApp()
      const client = await t.as('administrator')
      for (const [index, post] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        expect(await ask(post, place, { client, headers })).toMatchObject({ status: expect.toSatisfy(isSuccess) })
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
    })

    test('is refused to another person with the same request, without revealing the stored response; a job is returned', async ({
      expect,
    }) => {
      const { t, place } = await furnishedApp()
      const [client, other] = [await t.as('administrator'), await colleague(t)]
      for (const [index, post] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        const first = await ask(post, place, { client, headers })
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
            ? [
                nameOf(post),
                first.status,
                first.body,
                { ...picked(first.headers, told), 'idempotency-replayed': 'true' },
              ]
            : [nameOf(post), 422, { ...refusal, type: expect.any(String), requestId: expect.any(String) }, {}],
        )
      }
    })

    const keyed = posts.filter(({ needsKey }) => needsKey)
    if (keyed.length > 0) {
      test('that requires a key is refused without one, and changes nothing', async ({ expect }) => {
        const { t, place } = await furnishedApp()
        const keyless: Headers[] = [{ 'idempotency-key': undefined }]
        const answers = await askRefused(t, keyed, place, [await t.as('administrator')], keyless)
        expect(answers.map(seenAs)).toEqual(keyed.map((post) => [nameOf(post), 400, 'idempotency_key_required']))
      })
    }

    test('may have a key that another tenant has used, and is refused with an unprintable or overlong one', async ({
      expect,
    }) => {
      const { t, place, foreign } = await furnishedApp()
      const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
      for (const [index, post] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        expect((await ask(post, foreign, { client: other, headers })).status).toSatisfy(isSuccess)
        const { status, headers: answered } = await ask(post, place, { client: home, headers })
        expect([nameOf(post), status, answered['idempotency-replayed']]).toEqual([
          nameOf(post),
          expect.toSatisfy(isSuccess),
          undefined,
        ])
        const refused: number[] = []
        const changes = await t.changes(async () => {
          for (const key of ['', 'k'.repeat(256), 'sleutel-é', 'a\tb'])
            refused.push((await ask(post, place, { client: home, headers: { 'idempotency-key': key } })).status)
        })
        expect([nameOf(post), refused, changes]).toEqual([nameOf(post), [400, 400, 400, 400], {}])
      }
    })
  },
)
