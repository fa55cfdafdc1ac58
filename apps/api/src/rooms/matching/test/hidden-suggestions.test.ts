import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { suggestedPair } from '../../../../test/merging.ts'

test('an open suggestion hides contact values of a do not contact record, and shared values, from readers without the permission', async () => {
  const t = await buildTestApp()
  const [viewer, manager] = [await t.as('viewer'), await t.as('manager')]
  const phones = [{ value: '+27 82 555 0144' }]
  const domains = [{ value: 'hidden-pair.co.za' }]
  const both = { phones, domains }
  const { a, suggestion } = await suggestedPair(t, manager, 'Hidden Pair', [both, both])
  const paths = ['/match-suggestions', `/match-suggestions?businessId=${a}`, `/match-suggestions/${suggestion.id}`]
  const holding = async (client: typeof viewer) => {
    const found: string[] = []
    for (const path of paths) {
      const { status, body } = await client.get<{ businesses?: { id: string }[] }>(path)
      expect([path, status]).toEqual([path, 200])
      // Removes the record that is not blocked, which may show these values as its own. No other part of the response may.
      const said = { ...body, businesses: body.businesses?.filter(({ id }) => id === a) }
      if (/555 ?0144|desk@|hidden-pair\.co/.test(JSON.stringify(said))) found.push(path)
    }
    return found
  }
  expect(await holding(viewer)).toEqual(paths)
  await manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })
  expect(await holding(viewer)).toEqual([])
  expect(await holding(manager)).toEqual(paths)
})
