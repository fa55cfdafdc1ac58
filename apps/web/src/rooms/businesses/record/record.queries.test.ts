import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../../ui/api.ts'
import { actorSince } from './record.queries.ts'

afterEach(() => vi.restoreAllMocks())

const [ann, ben] = ['ann', 'ben'].map((name) => ({ kind: 'user' as const, id: name, name }))

test('what one person did is called theirs, and what several did is no one’s', async () => {
  const items = [
    { at: '2026-11-21T12:00:00.000Z', actor: ann },
    { at: '2026-11-21T11:00:00.000Z', actor: ann },
    { at: '2026-11-21T10:00:00.000Z', actor: ben },
  ]
  vi.spyOn(api, 'get').mockResolvedValue({ items })
  expect(await actorSince('b', '2026-11-21T10:00:00.000Z')).toEqual(ann)
  expect(await actorSince('b', '2026-11-21T09:00:00.000Z')).toBeUndefined()
  expect(await actorSince('b', null)).toEqual(ann)
})

test('that it cannot be asked who it was stops nobody', async () => {
  vi.spyOn(api, 'get').mockRejectedValue(new TypeError('no connection'))
  expect(await actorSince('b', null)).toBeUndefined()
})
