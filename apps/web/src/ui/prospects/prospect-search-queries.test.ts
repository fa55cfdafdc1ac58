import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { prospectSearchQuery } from './prospect-search-queries.ts'
import { refreshLists } from './record-keys.ts'

const page = { limit: 8, returned: 0, nextCursor: null, total: null }

test('what was found is read again with the lists, for its marks, and is the same with blanks around what was typed', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(prospectSearchQuery('karoo ').queryKey, { items: [], page })
  await refreshLists(queryClient)
  expect(queryClient.getQueryState(prospectSearchQuery(' karoo').queryKey)?.isInvalidated).toBe(true)
})

test('nothing is asked for a blank, and no more than the API takes', () => {
  expect(prospectSearchQuery(' ').enabled).toBe(false)
  expect(prospectSearchQuery('a'.repeat(300)).queryKey[0].query?.q).toBe('a'.repeat(200))
})
