import { expect, test } from 'vitest'
import { traceIdOf } from './trace-context.ts'

/* The values are those of the validation service of W3C Trace Context (w3c/trace-context, test/test.py). */

const TRACE = '12345678901234567890123456789012'
const PARENT = '1234567890123456'

test.each([
  ['version 00', `00-${TRACE}-${PARENT}-01`],
  ['not sampled', `00-${TRACE}-${PARENT}-00`],
  ['unknown flags', `00-${TRACE}-${PARENT}-ff`],
  ['a future version', `cc-${TRACE}-${PARENT}-01`],
  ['a future version with more fields', `cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`],
])('reads %s', (_what, traceparent) => {
  expect(traceIdOf(traceparent)).toBe(TRACE)
})

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['two headers', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ['a character after version 00', `00-${TRACE}-${PARENT}-01.`],
  ['fields after version 00', `00-${TRACE}-${PARENT}-01-what-the-future-will-be-like`],
  ['fields of a future version without a hyphen', `cc-${TRACE}-${PARENT}-01.what-the-future-will-be-like`],
  ['version ff', `ff-${TRACE}-${PARENT}-01`],
  ['an illegal version', `.0-${TRACE}-${PARENT}-01`],
  ['a long version', `000-${TRACE}-${PARENT}-01`],
  ['a short version', `0-${TRACE}-${PARENT}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['an illegal trace id', `00-.${TRACE.slice(1)}-${PARENT}-01`],
  ['capital letters', `00-${'A'.repeat(32)}-${PARENT}-01`],
  ['a long trace id', `00-${TRACE}3-${PARENT}-01`],
  ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['an illegal parent id', `00-${TRACE}-.${PARENT.slice(1)}-01`],
  ['a long parent id', `00-${TRACE}-${PARENT}7-01`],
  ['a short parent id', `00-${TRACE}-${PARENT.slice(1)}-01`],
  ['illegal flags', `00-${TRACE}-${PARENT}-.0`],
  ['long flags', `00-${TRACE}-${PARENT}-001`],
  ['short flags', `00-${TRACE}-${PARENT}-1`],
])('ignores %s', (_what, traceparent) => {
  expect(traceIdOf(traceparent)).toBeUndefined()
})
