import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import type { Business } from '../../businesses/businesses.ts'

test('a follow-up set by hand counts for the survivor of a merge, can be changed there, and is separated by the reversal', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  const read = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body
  const set = async (id: string, followUpOn: string | null) => {
    const { version } = await read(id)
    const headers = { 'if-match': `"${version}"` }
    expect((await manager.put(`/businesses/${id}/follow-up`, { followUpOn }, headers)).status).toBe(200)
    t.clock.advance(60_000)
  }
  const days = async () => [(await read(a)).followUpOn, (await read(b)).followUpOn]
  await set(a, '2026-12-01')
  await set(b, '2026-12-02')
  const merge = async () => merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const { id } = await merge()
  expect((await read(a)).followUpOn).toBe('2026-12-02')
  await set(a, '2026-12-05')
  expect((await read(a)).followUpOn).toBe('2026-12-05')
  expect((await askReversal(manager, id)).status).toBe(200)
  expect(await days()).toEqual(['2026-12-05', '2026-12-02'])

  const { id: again } = await merge()
  await set(a, null)
  expect((await read(a)).followUpOn).toBe(null)
  expect((await askReversal(manager, again)).status).toBe(200)
  expect(await days()).toEqual([null, '2026-12-02'])
})
