import { expect, test } from 'vitest'
import { createProspect, walk } from '../../../../test/prospects.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import { followScores } from '../../scoring/scores/scoring-follower.ts'
import { scoringWorld } from '../../scoring/test/scoring-world.ts'
import type { ReviewQueuePage } from '../queue/queue.schema.ts'
import { rejection, reviewed } from './review-world.ts'

const scored = (at: number) => ({
  name: `P ${at}`,
  ...(at % 2 === 0 ? { phones: [{ value: `+27 21 555 ${1_000 + at}` }] } : {}),
})

test('with scores the queue is best first, and what is reviewed leaves it before, during and after a run', async () => {
  const decided: string[] = []
  const world = await scoringWorld({
    beforeEnd: async (t) => {
      const id = decided[0] ?? ''
      if (id !== '') await reviewed(await t.as('operator'), id, rejection)
    },
  })
  const { t } = world
  const operator = await t.as('operator')
  const ids: string[] = []
  for (let at = 0; at < 8; at++) ids.push((await createProspect(operator, scored(at))).id)
  const [before = '', during = '', after = ''] = [ids[0], ids[2], ids[4]]
  await reviewed(operator, before, rejection)
  decided.push(during)
  await world.activated(await world.ran(await world.approved()))
  await followScores(t.store)
  await reviewed(operator, after, rejection)
  const queue = (await operator.get<ReviewQueuePage>('/review-queue')).body
  expect(queue.predicate.sort).toBe('-score')
  expect(queue.items.map(({ id }) => id)).toEqual([ids[6], ids[1], ids[3], ids[5], ids[7]])
  expect(queue.page.total?.value).toBe(5)
  // Without a review filter, review states do not change the order of a list by score.
  const all = await walk<BusinessSummary>(operator, '/businesses?sort=-score', 3)
  expect(all.map(({ score }) => score.low)).toEqual([60, 60, 60, 60, 0, 0, 0, 0])
  await reviewed(operator, before, { decision: 'reopen', reason: 'Again.' })
  expect((await operator.get<ReviewQueuePage>('/review-queue')).body.items.map(({ id }) => id)[0]).toBe(before)
})
