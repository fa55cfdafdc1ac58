import type { MatchSuggestion } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { answersAbout } from '../../ui/api/query-keys.ts'
import { usePairNeighbours } from './use-pair-neighbours.ts'

const pair = { id: 'p055', status: 'open' } as unknown as MatchSuggestion

function Neighbours() {
  const { previous, next, place } = usePairNeighbours(pair, {})
  return (
    <p>
      {previous} {next} {place}
    </p>
  )
}

test('a pair on a later page that was decided meanwhile is no neighbour', async () => {
  const decided = new Set<string>()
  const all = Array.from({ length: 60 }, (_, at) => ({
    id: `p${String(at + 1).padStart(3, '0')}`,
    score: 1 - at / 100,
  }))
  fakeApi({
    'GET /match-suggestions': ({ query }) => {
      const open = all.filter(({ id }) => !decided.has(id))
      const cursor = query.get('cursor')
      const from = cursor === null ? 0 : open.findIndex(({ id }) => id > cursor)
      const items = open.slice(from, from + Number(query.get('limit')))
      const nextCursor = from + items.length < open.length ? (items.at(-1)?.id ?? null) : null
      return Response.json({ items, page: { limit: 50, returned: items.length, nextCursor, total: null } })
    },
  })
  const { queryClient } = await renderInApp(<Neighbours />)
  const shown = page.getByRole('paragraph')
  await expect.element(shown).toHaveTextContent('p054 p056 55 of 60')
  decided.add('p054')
  await queryClient.invalidateQueries({ queryKey: answersAbout('matching') })
  await expect.element(shown).toHaveTextContent('p053 p056 54 of 59')
})
