import { expect, test } from 'vitest'
import { resultOfStatus, retryAfterOf } from './status.ts'

const now = () => new Date('2026-11-02T08:00:00.000Z')
const of = (status: number, retryAfter?: string) => {
  const result = resultOfStatus(status, { retryAfter, now, trace: null, bytesReceived: 0 })
  return result?.cause
}

test.each([
  [200, undefined],
  [204, undefined],
  [301, 'redirect_refused'],
  [400, 'request_rejected'],
  [401, 'access_denied'],
  [403, 'access_denied'],
  [404, 'request_rejected'],
  [407, 'request_rejected'],
  [408, 'timeout'],
  [421, 'request_rejected'],
  [429, 'rate_limited'],
  [451, 'access_denied'],
  [500, 'server_error'],
  [503, 'server_error'],
  [599, 'server_error'],
])('%i is %s', (status, cause) => {
  expect(of(status)).toBe(cause)
})

test('503 with Retry-After is overload; without, or with nonsense, a failure', () => {
  expect([of(503, '5'), of(503, 'later'), of(500, '5')]).toEqual(['overloaded', 'server_error', 'server_error'])
})

test.each([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['120', 120_000],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['99999999999999999999999', 604_800_000],
  ['Mon, 02 Nov 2026 08:00:30 GMT', 30_000],
  ['Mon, 02 Nov 2026 07:00:00 GMT', 0],
  ['Tue, 02 Nov 2027 08:00:00 GMT', 604_800_000],
  ['Mon, 02 Nov 2026 08:00:30', null],
  ['2026-11-02T08:00:30Z', null],
  ['Mon, 99 Nov 2026 08:00:30 GMT', null],
])('Retry-After %j is a wait of %s ms', (header, waitMs) => {
  expect(retryAfterOf(header, now)).toBe(waitMs)
})
