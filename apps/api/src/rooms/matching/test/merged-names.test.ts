import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, walk } from '../../../../test/prospects.ts'
import type { Business } from '../../businesses/businesses.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

test('a survivor is found by the names of all merged records in any state, until the merge is reversed', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const found = async (q: string) =>
    (await walk<Business>(manager, `/businesses?q=${encodeURIComponent(q)}`)).map(({ id }) => id)
  const edit = async (id: string, body: object) => {
    const { version } = (await manager.get<Business>(`/businesses/${id}`)).body
    expect((await manager.patch(`/businesses/${id}`, body, { 'if-match': `"${version}"` })).status).toBe(200)
  }
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await edit(b, { name: 'Bergwind Turbines', tradingName: 'Élan', registrationNumber: '2015/123456/07' })
  const first = await merged(
    askMerge(manager, await suggestionOfPair(manager, a, b), a, { fields: { tradingName: a } }),
  )
  for (const q of ['bergwind', 'elan', 'turbines bergwind', '2015/123456/07', 'karoo'])
    expect([q, await found(q)]).toEqual([q, [a]])
  await edit(a, { industry: 'Irrigation', registrationNumber: null })
  expect(await found('2015/123456/07')).toEqual([a])

  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await followChanges(t.store)
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), c))
  expect(await found('bergwind')).toEqual([c])
  expect((await askReversal(manager, second.id)).status).toBe(200)
  expect(await found('bergwind')).toEqual([a])
  expect((await askReversal(manager, first.id)).status).toBe(200)
  expect(await found('bergwind')).toEqual([b])
})
