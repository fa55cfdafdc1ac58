import { expect, test } from 'vitest'
import { parseJobsSearch } from './jobs-search.ts'

test('reads known filters from a link and drops others', () => {
  expect(parseJobsSearch({ status: 'failed', kind: 'audit-verification', other: 1 })).toEqual({
    status: 'failed',
    kind: 'audit-verification',
  })
  expect(parseJobsSearch({ status: 'paused', kind: '<b>' })).toEqual({})
})
