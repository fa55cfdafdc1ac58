import { beforeEach, expect, test, vi } from 'vitest'
import {
  draftKey,
  draftText,
  forgetDraftsOf,
  forgetSensitiveDrafts,
  forgetSensitiveDraftsOfOthers,
  putDraft,
  putDraftBack,
} from './draft-storage.ts'

/** As in a browser, `Object.keys` returns the stored keys and not the methods. */
function fakeStorage(): Storage {
  const storage: Record<string, unknown> = {}
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, text: string) => {
      storage[key] = text
    },
    removeItem: (key: string) => {
      delete storage[key]
    },
  }
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(storage, name, { value })
  return storage as unknown as Storage
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('localStorage', fakeStorage())
})

const note = (userId: string) => draftKey(userId, 't1', 'note-b1')
const form = (userId: string) => draftKey(userId, 't1', 'new-business')
const keep = (key: string, isForTabOnly: boolean) =>
  sessionStorage.setItem(
    key,
    draftText({ savedAt: '2026-11-21T10:00:00.000Z', value: 'x', attempt: null }, isForTabOnly),
  )
const left = () => Object.keys(sessionStorage)

test('signing out deletes sensitive drafts from the tab and keeps the others', () => {
  keep(note('u1'), true)
  keep(form('u1'), false)
  sessionStorage.setItem('another', 'x')
  forgetSensitiveDrafts()
  expect(left()).toEqual([form('u1'), 'another'])
})

test('drafts of the signed-in user stay, and sensitive ones of others are deleted', () => {
  for (const user of ['u1', 'u2']) {
    keep(note(user), true)
    keep(form(user), false)
  }
  forgetSensitiveDraftsOfOthers('u2')
  expect(left()).toEqual([form('u1'), note('u2'), form('u2')])
})

test('deletes drafts that are not marked as not sensitive', () => {
  sessionStorage.setItem(note('u1'), JSON.stringify({ savedAt: '', value: { text: 'x', sensitive: true } }))
  sessionStorage.setItem(form('u1'), 'cut off')
  forgetSensitiveDrafts()
  expect(left()).toEqual([])
})

test('restores a discarded draft to both storages and never overwrites a newer text', () => {
  const key = form('u1')
  putDraftBack(key, { inTab: 'mine', inBrowser: 'mine' })
  expect([sessionStorage.getItem(key), localStorage.getItem(key)]).toEqual(['mine', 'mine'])
  localStorage.setItem(key, 'of another tab')
  sessionStorage.removeItem(key)
  putDraftBack(key, { inTab: 'again', inBrowser: 'again' })
  expect([sessionStorage.getItem(key), localStorage.getItem(key)]).toEqual(['again', 'of another tab'])
  putDraftBack(note('u1'), { inTab: 'this tab alone', inBrowser: null })
  expect(localStorage.getItem(note('u1'))).toBeNull()
})

test('refuses to restore a draft of an erased record', () => {
  const key = draftKey('u1', 't1', 'edit-business-b9')
  putDraft(sessionStorage, key, 'x')
  forgetDraftsOf('b9')
  putDraftBack(key, { inTab: 'x', inBrowser: 'x' })
  expect([sessionStorage.getItem(key), localStorage.getItem(key)]).toEqual([null, null])
})
