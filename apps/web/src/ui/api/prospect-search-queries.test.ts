import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { foundBusinessesQuery } from './prospect-search-queries.ts'
import { refreshLists } from './record-keys.ts'

test('what was found is read again with the lists, for its marks, and is the same with blanks around what was typed', async () => {
  const queryClient = new QueryClient()
  queryClient.setQueryData(foundBusinessesQuery('karoo ').queryKey, [])
  await refreshLists(queryClient)
  expect(queryClient.getQueryState(foundBusinessesQuery(' karoo').queryKey)?.isInvalidated).toBe(true)
})

test('nothing is asked for a blank, and no more than the API takes', () => {
  expect(foundBusinessesQuery(' ').enabled).toBe(false)
  expect(foundBusinessesQuery('a'.repeat(300)).queryKey).toEqual(['businesses', 'found', 'a'.repeat(200)])
})
