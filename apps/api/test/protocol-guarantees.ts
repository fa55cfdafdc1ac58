import { describe, test } from 'vitest'
import type { Answer, TestClient } from './build-app.ts'
import type { ListPage, Problem } from './prospects.ts'
import {
  askAll,
  asker,
  colleague,
  filled,
  type Hold,
  isSuccess,
  otherwise,
  picked,
  routeName,
  seenAs,
  seenVersion,
  setUp,
} from './routes-under-test.ts'
import type { Headers } from './test-client.ts'

/* Keys, versions and pages: the conventions of the interface that a route of their kind keeps. */

export const holdIdempotency: Hold = (room, posts) => {
  if (posts.length === 0) return
  describe(`every POST of ${room} with an Idempotency-Key`, () => {
    test('is done once: a replay answers the stored result, says so, and writes nothing', async ({ expect }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      for (const [index, route] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        const first = await asker(route, place)(administrator, headers)
        expect(first.headers['idempotency-replayed']).toBeUndefined()
        const replays: Answer<Problem>[] = []
        const changes = await t.changes(async () => {
          replays.push(await asker(route, place)(administrator, headers))
        })
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
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
      const { t, place, neighbour } = await setUp()
      const administrator = await t.as('administrator')
      for (const [index, route] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        expect(await asker(route, place)(administrator, headers)).toMatchObject({ status: expect.toSatisfy(isSuccess) })
        const body = route.body?.(place) ?? {}
        const [changed] = Object.keys(body)
        const answers: Answer<Problem>[] = []
        const changes = await t.changes(async () => {
          answers.push(
            await asker(route, place)(administrator, headers, { ...body, [`${changed}`]: otherwise(body, changed) }),
          )
          if (route.path.includes(':')) answers.push(await asker(route, neighbour)(administrator, headers))
        })
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
        for (const answer of answers)
          expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
      }
    })

    test('is refused to another person who sends the same, and nothing of the stored result is given away; a job is answered', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      const [administrator, other] = [await t.as('administrator'), await colleague(t)]
      for (const [index, route] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        const first = await asker(route, place)(administrator, headers)
        const answers: Answer<Problem>[] = []
        const changes = await t.changes(async () => {
          answers.push(await asker(route, place)(other, headers))
        })
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
        const refusal = {
          status: 422,
          title: 'Idempotency-Key reused',
          code: 'idempotency_key_reused',
          detail: 'This Idempotency-Key was already used, for another request or by another person. Send a new key.',
        }
        const [answer] = answers
        const told = ['location', 'etag', 'idempotency-replayed']
        expect([routeName(route), answer?.status, answer?.body, picked(answer?.headers ?? {}, told)]).toEqual(
          route.createsJob === true
            ? [
                routeName(route),
                first.status,
                first.body,
                { ...picked(first.headers, told), 'idempotency-replayed': 'true' },
              ]
            : [routeName(route), 422, { ...refusal, type: expect.any(String), requestId: expect.any(String) }, {}],
        )
      }
    })

    const keyed = posts.filter(({ needsKey }) => needsKey === true)
    if (keyed.length > 0) {
      test('that wants a key is refused without one, and changes nothing', async ({ expect }) => {
        const { t, place } = await setUp()
        const keyless: Headers[] = [{ 'idempotency-key': undefined }]
        const answers = await askAll(t, keyed, place, [await t.as('administrator')], keyless)
        expect(answers.map(seenAs)).toEqual(keyed.map((route) => [routeName(route), 400, 'idempotency_key_required']))
      })
    }

    test('may carry a key that another tenant has used, and is refused with an unprintable or overlong one', async ({
      expect,
    }) => {
      const { t, place, foreign } = await setUp()
      const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
      for (const [index, route] of posts.entries()) {
        const headers = { 'idempotency-key': `key-${index}` }
        expect((await asker(route, foreign)(other, headers)).status).toSatisfy(isSuccess)
        const { status, headers: answered } = await asker(route, place)(home, headers)
        expect([routeName(route), status, answered['idempotency-replayed']]).toEqual([
          routeName(route),
          expect.toSatisfy(isSuccess),
          undefined,
        ])
        const refused: number[] = []
        const changes = await t.changes(async () => {
          for (const key of ['', 'k'.repeat(256), 'sleutel-é', 'a\tb'])
            refused.push((await asker(route, place)(home, { 'idempotency-key': key })).status)
        })
        expect([routeName(route), refused, changes]).toEqual([routeName(route), [400, 400, 400, 400], {}])
      }
    })
  })
}

export const holdVersions: Hold = (room, patches) => {
  if (patches.length === 0) return
  describe(`every PATCH of ${room}`, () => {
    test('wants the version that was seen: 428 without, 400 for what is none, 412 with the current one when stale; nothing changes', async ({
      expect,
    }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      for (const route of patches) {
        const current = await seenVersion(administrator, route, place)
        const version = Number(/\d+/.exec(current['if-match'] ?? '')?.[0])
        const answers: Answer<Problem>[] = []
        const changes = await t.changes(async () => {
          for (const tag of [
            undefined,
            '',
            '*',
            String(version),
            `"${version}", "9"`,
            '"-1"',
            `"0${version}"`,
            '"0"',
            `"${version + 1}"`,
          ])
            answers.push(await asker(route, place)(administrator, { 'if-match': tag }))
        })
        expect([routeName(route), changes]).toEqual([routeName(route), {}])
        expect(answers.map(({ status, body }) => [status, body.code, body.currentVersion])).toEqual([
          [428, 'precondition_required', undefined],
          ...Array.from({ length: 6 }, () => [400, 'invalid_request', undefined]),
          [412, 'version_conflict', version],
          [412, 'version_conflict', version],
        ])
      }
    })
  })
}

export const holdLists: Hold = (room, lists) => {
  if (lists.length === 0) return
  describe(`every list of ${room}`, () => {
    test('refuses a limit out of bounds or no number, and a parameter that it does not know', async ({ expect }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      const outOfBounds = ['limit=0', 'limit=201', 'limit=-1', 'limit=1.5']
      const noNumber = ['limit=x', 'limit=', 'limit=0x10', 'limit=1e1', 'limit=+5', 'limit=5%20', 'limit=1&limit=2']
      const wrong = [...outOfBounds, ...noNumber, 'page=2']
      for (const route of lists) {
        const answers = await Promise.all(
          wrong.map((query) => administrator.get<Problem>(`${filled(route, place)}?${query}`)),
        )
        expect([routeName(route), answers.map(({ status, body }) => [status, body.code])]).toEqual([
          routeName(route),
          wrong.map(() => [400, 'invalid_request']),
        ])
      }
    })

    test('takes limits from 1 to 200, 50 when none is given, and says how many it returned', async ({ expect }) => {
      const { t, place } = await setUp()
      const administrator = await t.as('administrator')
      for (const route of lists) {
        for (const [query, limit] of [
          ['', 50],
          ['?limit=1', 1],
          ['?limit=200', 200],
        ] as const) {
          const { status, body } = await administrator.get<ListPage<unknown>>(filled(route, place) + query)
          expect([routeName(route), status, body.page]).toMatchObject([
            routeName(route),
            200,
            { limit, returned: body.items.length, nextCursor: limit === 1 ? expect.any(String) : null },
          ])
          if (limit !== 200) continue
          // What fills its page to the last row has no next one.
          const exactly = await administrator.get<ListPage<unknown>>(
            `${filled(route, place)}?limit=${body.items.length}`,
          )
          expect([routeName(route), exactly.body.page]).toMatchObject([
            routeName(route),
            { returned: body.items.length, nextCursor: null },
          ])
        }
      }
    })

    test('refuses a cursor that is spoilt, of another list or of another tenant', async ({ expect }) => {
      const { t, place, foreign } = await setUp()
      const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
      const cursorOf = async (client: TestClient, path: string) =>
        (await client.get<ListPage<unknown>>(`${path}?limit=1`)).body.page.nextCursor ?? ''
      const elsewhere = await cursorOf(home, '/audit-events')
      for (const route of lists) {
        const own = await cursorOf(home, filled(route, place))
        expect(own).not.toBe('')
        const [payload = '', signature = ''] = own.split('.')
        const forgedPayload = Buffer.from('["2100-01-01","z"]').toString('base64url')
        const spoilt = [
          '',
          '.',
          'x',
          payload,
          `${payload}.`,
          `.${signature}`,
          `${payload}x.${signature}`,
          `${forgedPayload}.${signature}`,
          `${payload}.${signature.slice(1)}A`,
          elsewhere,
          await cursorOf(other, filled(route, foreign)),
        ]
        const answers = await Promise.all(
          spoilt.map((cursor) =>
            home.get<Problem>(`${filled(route, place)}?limit=1&cursor=${encodeURIComponent(cursor)}`),
          ),
        )
        expect([routeName(route), answers.map(({ status, body }) => [status, body.errors?.[0]?.code])]).toEqual([
          routeName(route),
          spoilt.map(() => [400, 'invalid_cursor']),
        ])
        const tooLong = await home.get<Problem>(`${filled(route, place)}?cursor=${'x'.repeat(1_025)}`)
        expect(tooLong.status).toBe(400)
      }
    })
  })
}
