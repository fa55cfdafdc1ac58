import { describe, test } from 'vitest'
import { nameOf } from '../asking.ts'
import type { TestClient } from '../build-app.ts'
import { furnishedApp } from '../furnished.ts'
import { addressOf, byRoom } from '../operations.ts'
import type { ListPage, Problem } from '../prospects.ts'

/* Tests limits and cursors of each operation that returns a page. */

const cursorOf = async (client: TestClient, path: string) =>
  (await client.get<ListPage<unknown>>(`${path}?limit=1`)).body.page.nextCursor ?? ''

describe.each(byRoom(({ isList }) => isList))('every list of %s', (_room, lists) => {
  test('refuses a limit out of bounds or not a number, and an unknown parameter', async ({ expect }) => {
    const { t, place } = await furnishedApp()
    const administrator = await t.as('administrator')
    const outOfBounds = ['limit=0', 'limit=201', 'limit=-1', 'limit=1.5']
    const noNumber = ['limit=x', 'limit=', 'limit=0x10', 'limit=1e1', 'limit=+5', 'limit=5%20', 'limit=1&limit=2']
    const wrong = [...outOfBounds, ...noNumber, 'page=2']
    for (const list of lists) {
      const answers = await Promise.all(
        wrong.map((query) => administrator.get<Problem>(`${addressOf(list, place)}?${query}`)),
      )
      expect([nameOf(list), answers.map(({ status, body }) => [status, body.code])]).toEqual([
        nameOf(list),
        wrong.map(() => [400, 'invalid_request']),
      ])
    }
  })

  test('accepts limits from 1 to 200, defaults to 50, and returns the number of items', async ({ expect }) => {
    const { t, place } = await furnishedApp()
    const administrator = await t.as('administrator')
    for (const list of lists) {
      for (const [query, limit] of [
        ['', 50],
        ['?limit=1', 1],
        ['?limit=200', 200],
      ] as const) {
        const { status, body } = await administrator.get<ListPage<unknown>>(addressOf(list, place) + query)
        expect([nameOf(list), status, body.page]).toMatchObject([
          nameOf(list),
          200,
          { limit, returned: body.items.length },
        ])
        // A list that fills the largest page can end there or continue, so its cursor is not checked.
        if (limit === 200 && body.items.length === limit) continue
        const isMore = limit === 1 || body.items.length === limit
        expect([nameOf(list), body.page.nextCursor]).toEqual([nameOf(list), isMore ? expect.any(String) : null])
        if (limit !== 200) continue
        // A page whose last row is the last row of the list has no next page.
        const exactly = await administrator.get<ListPage<unknown>>(
          `${addressOf(list, place)}?limit=${body.items.length}`,
        )
        expect([nameOf(list), exactly.body.page]).toMatchObject([
          nameOf(list),
          { returned: body.items.length, nextCursor: null },
        ])
      }
    }
  })

  test('states the exact total on the first page, and no other total on later ones', async ({ expect }) => {
    const { t, place } = await furnishedApp()
    const administrator = await t.as('administrator')
    for (const list of lists) {
      const address = addressOf(list, place)
      const read = async (query: string) => (await administrator.get<ListPage<unknown>>(`${address}?${query}`)).body
      // Jobs of the fixture can add rows between the requests.
      const before = await read('limit=200')
      const first = await read('limit=1')
      const second = await read(`limit=1&cursor=${encodeURIComponent(first.page.nextCursor ?? '')}`)
      const after = await read('limit=200')
      const most = after.page.nextCursor === null ? after.items.length : Number.POSITIVE_INFINITY
      for (const { page } of [before, first, second, after]) {
        const { total } = page
        if (page === second.page && total === null) continue
        expect([nameOf(list), total]).toEqual([
          nameOf(list),
          { value: expect.any(Number), counts: 'matching_set', asOf: expect.any(String) },
        ])
        const isInRange = Number(total?.value) >= before.items.length && Number(total?.value) <= most
        expect([nameOf(list), total?.value, isInRange]).toEqual([nameOf(list), total?.value, true])
      }
    }
  })

  test('refuses a cursor that is altered, of another list, of another record or of another tenant', async ({
    expect,
  }) => {
    const { t, place, neighbour, foreign } = await furnishedApp()
    const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
    for (const list of lists) {
      const address = addressOf(list, place)
      const own = await cursorOf(home, address)
      expect([nameOf(list), own]).not.toEqual([nameOf(list), ''])
      const [payload = '', signature = ''] = own.split('.')
      const forgedPayload = Buffer.from('["2100-01-01","z"]').toString('base64url')
      const beside = addressOf(list, neighbour)
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
        await cursorOf(home, address === '/audit-events' ? '/businesses' : '/audit-events'),
        await cursorOf(other, addressOf(list, foreign)),
        ...(beside === address ? [] : [await cursorOf(home, beside)]),
      ]
      const answers = await Promise.all(
        spoilt.map((cursor) => home.get<Problem>(`${address}?limit=1&cursor=${encodeURIComponent(cursor)}`)),
      )
      expect([nameOf(list), answers.map(({ status, body }) => [status, body.errors?.[0]?.code])]).toEqual([
        nameOf(list),
        spoilt.map(() => [400, 'invalid_cursor']),
      ])
      const tooLong = await home.get<Problem>(`${address}?cursor=${'x'.repeat(1_025)}`)
      expect(tooLong.status).toBe(400)
    }
  })
})
