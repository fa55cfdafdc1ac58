import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from './build-app.ts'
import { createProspect, type Problem } from './prospects.ts'

type Found = { items: { name: string }[] }

/** Lists of one tenant that are asked at once; more than the background reader has places for. */
const LISTS = 260
/** Searches of the other tenant, one after the other. Without turns, each of their queries waits for a query of every list. */
const SEARCHES = 3

test('parallel lists of one tenant delay a search of another by some turns, and end in 200 or 429', async () => {
  const t = await buildTestApp()
  const [mine, theirs] = [await t.as('operator'), await t.as('operator', 'other')]
  for (let number = 0; number < 20; number += 1) await createProspect(mine, { name: `Karoo Windpumps ${number}` })
  await createProspect(theirs, { name: 'Springbok Windpumps' })
  const conditions = JSON.stringify([{ field: 'q', op: 'contains', values: ['windpumps'] }])
  const list = `/businesses?conditions=${encodeURIComponent(conditions)}`
  const path = '/businesses?q=windpumps'
  expect((await mine.get(list)).status).toBe(200)
  const alone = await theirs.get<Found>(path)
  expect(alone.body.items.map(({ name }) => name)).toEqual(['Springbok Windpumps'])

  // The reader is busy for a while, so that the lists wait for each other on any machine.
  const slow = sql`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000000) SELECT max(x) FROM n`
  const busy = slow.execute(t.store.backgroundOf(t.tenants.home.id))
  let answered = 0
  const { promise: isFull, resolve: tellFull } = Promise.withResolvers<void>()
  const lists = Array.from({ length: LISTS }, async () => {
    const answer = await mine.get<Problem>(list)
    if (answer.status === 200) answered += 1
    else tellFull()
    return answer
  })
  // The search is sent when the share of the other tenant is full.
  await Promise.race([isFull, Promise.all(lists)])
  const before = answered
  for (let number = 0; number < SEARCHES; number += 1) {
    const search = await theirs.get<Found>(path)
    expect(search.status).toBe(200)
    expect(search.body.items).toEqual(alone.body.items)
  }
  // Each of the few queries of a search waits for at most one query of the other tenant, whose lists need several queries each.
  expect(answered - before).toBeLessThanOrEqual(2 * SEARCHES)

  await busy
  const answers = await Promise.all(lists)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, headers, body } of refused) {
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_waiting', '2'])
    expect(body).toMatchObject({ limit: 'waiting_searches', size: 50, max: 50 })
    expect(body.detail).toBe(
      'This workspace has 50 waiting searches; the limit is 50. Try again when some of them have ended.',
    )
  }
  expect((await mine.get(list)).status).toBe(200)
})
