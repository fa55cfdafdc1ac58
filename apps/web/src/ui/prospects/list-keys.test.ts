import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { visiblePagesKey } from '../lists/visible-pages.ts'
import { listQueryOf, prospectListsKey } from './list-keys.ts'
import { prospectPages } from './use-prospect-pages.ts'

test('every paged list is found in the cache with its query', () => {
  const queryClient = new QueryClient()
  const columns = [{ state: 'new', q: 'karoo' }, { state: 'contacted' }, {}] as const
  for (const query of columns)
    queryClient.setQueryData(visiblePagesKey(prospectPages(query, 50).queryKey), { pages: [] })
  const found = queryClient.getQueriesData({ queryKey: prospectListsKey }).map(([key]) => listQueryOf(key))
  expect(found).toEqual(columns)
})
