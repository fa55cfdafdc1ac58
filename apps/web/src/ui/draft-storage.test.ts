import { beforeEach, expect, test, vi } from 'vitest'
import { draftKey, draftText, forgetSensitiveDrafts, forgetSensitiveDraftsOfOthers } from './draft-storage.ts'

beforeEach(() => {
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
  // As in a browser its keys are those of what lies there, and not its methods.
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(storage, name, { value })
  vi.stubGlobal('sessionStorage', storage)
})

const note = (userId: string) => draftKey(userId, 't1', 'note-b1')
const form = (userId: string) => draftKey(userId, 't1', 'new-business')
const keep = (key: string, isForTabOnly: boolean) =>
  sessionStorage.setItem(
    key,
    draftText({ savedAt: '2026-11-21T10:00:00.000Z', value: 'x', attempt: null }, isForTabOnly),
  )
const left = () => Object.keys(sessionStorage)

test('a sign-out takes what is sensitive out of the tab, and leaves what else was typed in it', () => {
  keep(note('u1'), true)
  keep(form('u1'), false)
  sessionStorage.setItem('another', 'x')
  forgetSensitiveDrafts()
  expect(left()).toEqual([form('u1'), 'another'])
})

test('whoever is signed in keeps their own, and what is sensitive of others goes', () => {
  for (const user of ['u1', 'u2']) {
    keep(note(user), true)
    keep(form(user), false)
  }
  forgetSensitiveDraftsOfOthers('u2')
  expect(left()).toEqual([form('u1'), note('u2'), form('u2')])
})

test('a draft that does not say that it is not sensitive goes too', () => {
  sessionStorage.setItem(note('u1'), JSON.stringify({ savedAt: '', value: { text: 'x', sensitive: true } }))
  sessionStorage.setItem(form('u1'), 'cut off')
  forgetSensitiveDrafts()
  expect(left()).toEqual([])
})
