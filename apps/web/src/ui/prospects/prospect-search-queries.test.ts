import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { prospectSearchQuery } from './prospect-search-queries.ts'
import { refreshLists } from './record-keys.ts'

const page = { limit: 8, returned: 0, nextCursor: null, total: null }

test('search results refresh with the lists, and ignore blanks around the text', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(prospectSearchQuery('karoo ').queryKey, { items: [], page })
  await refreshLists(queryClient)
  expect(queryClient.getQueryState(prospectSearchQuery(' karoo').queryKey)?.isInvalidated).toBe(true)
})

test('a blank text sends no request, and long text is cut to the limit of the API', () => {
  expect(prospectSearchQuery(' ').enabled).toBe(false)
  expect(prospectSearchQuery('a'.repeat(300)).queryKey[0].query?.q).toBe('a'.repeat(200))
})
