import { expect, test } from 'vitest'
import { parseJobsSearch } from './jobs-search.ts'

test('what a link says of the filters is taken when it is known, and otherwise dropped', () => {
  expect(parseJobsSearch({ status: 'failed', kind: 'audit-verification', other: 1 })).toEqual({
    status: 'failed',
    kind: 'audit-verification',
  })
  expect(parseJobsSearch({ status: 'paused', kind: '<b>' })).toEqual({})
})
