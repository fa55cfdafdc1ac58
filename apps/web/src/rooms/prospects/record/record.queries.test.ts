import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureApiClient } from '../../../ui/api/client.ts'
import { changersSince } from './record.queries.ts'

beforeEach(() => configureApiClient('http://localhost'))
afterEach(() => vi.unstubAllGlobals())

const [ann, ben, cas] = ['ann', 'ben', 'cas'].map((name) => ({ kind: 'user' as const, id: name, name }))
const event = (hour: number, type: string, actor: typeof ann) => ({
  at: `2026-11-21T${hour}:00:00.000Z`,
  subject: { type, id: 'x' },
  actor,
})

test('names a single author, or says several; notes do not count as changes of the record', async () => {
  const items = [
    event(13, 'note', cas),
    event(12, 'business', ann),
    event(11, 'business', ann),
    event(10, 'business', ben),
  ]
  vi.stubGlobal('fetch', async () => Response.json({ items }))
  expect(await changersSince('b', '2026-11-21T10:00:00.000Z')).toEqual(ann)
  expect(await changersSince('b', '2026-11-21T09:00:00.000Z')).toBe('several')
  expect(await changersSince('b', null)).toEqual(ann)
})

test('a failed request does not prevent the comparison', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  expect(await changersSince('b', null)).toBeUndefined()
})
