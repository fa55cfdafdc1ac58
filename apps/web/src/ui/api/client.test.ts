import { getPipelineQueryKey } from '@prospect/api-client/query'
import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { configureApiClient } from './client.ts'

test('a cache key computed while a module loads equals one computed after the client was configured', () => {
  const early = hashKey(getPipelineQueryKey())
  configureApiClient()
  expect(hashKey(getPipelineQueryKey())).toBe(early)
})
