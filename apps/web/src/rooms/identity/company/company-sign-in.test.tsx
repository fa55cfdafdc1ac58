import { afterEach, expect, test } from 'vitest'
import { forgetAnswer, readAnswer, readIntent } from './company-sign-in.ts'

const KEY = 'prospect-company-intent'

afterEach(() => {
  forgetAnswer()
})

function showAnswer(attributes: Record<string, string>): void {
  const element = document.createElement('meta')
  element.name = 'company-answer'
  Object.assign(element.dataset, attributes)
  document.head.append(element)
}

test('the intent of this tab leads back to its page', () => {
  sessionStorage.setItem(KEY, JSON.stringify({ what: 'link', next: '/profile/security' }))
  expect(readIntent()).toEqual({ what: 'link', next: '/profile/security' })
})

test.each([
  '',
  'no JSON',
  'null',
  '{"what":"sign_in"}',
  '{"what":"other","next":"/"}',
  '{"what":"sign_in","next":"https://evil.example/"}',
  '{"what":"sign_in","next":"//evil.example"}',
  '{"what":"link","next":"/\\\\evil.example"}',
  '{"what":"link","next":7}',
])('without a valid intent the tab signs in and opens the first page: %s', (stored) => {
  sessionStorage.setItem(KEY, stored)
  expect(readIntent()).toEqual({ what: 'sign_in', next: '/' })
})

test('the answer is a token with its state, or an error, and is gone once it was taken', () => {
  expect(readAnswer()).toBe(null)
  showAnswer({ idToken: 'a.b.c', state: 's' })
  sessionStorage.setItem(KEY, JSON.stringify({ what: 'link', next: '/' }))
  expect(readAnswer()).toEqual({ idToken: 'a.b.c', state: 's' })
  forgetAnswer()
  expect([readAnswer(), sessionStorage.getItem(KEY)]).toEqual([null, null])
  showAnswer({ error: 'access_denied' })
  expect(readAnswer()).toEqual({ error: 'access_denied' })
})
