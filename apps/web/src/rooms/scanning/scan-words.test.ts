import { expect, test } from 'vitest'
import { reasonText, roleOf, savedFrom } from './scan-words.ts'

test('reads the address of a saved page from its first line', () => {
  expect(savedFrom('<!-- saved from url=(0027)https://karoo.co.za/contact -->\n<html>')).toBe(
    'https://karoo.co.za/contact',
  )
  expect(savedFrom('<!-- saved from url=(0014)about:internet -->')).toBeNull()
  expect(savedFrom('<html>')).toBeNull()
})

test.each([
  ['https://karoo.co.za', 'start'],
  ['https://karoo.co.za/', 'start'],
  ['https://karoo.co.za/kontak-ons', 'contact'],
  ['https://karoo.co.za/oor-ons', 'about'],
  ['https://karoo.co.za/shop', 'other'],
])('%s is proposed as %s', (url, role) => expect(roleOf(url)).toBe(role))

test('every reason is a sentence', () => {
  expect(reasonText('other_host')).toBe('The page is on another website than the record shows.')
  expect(reasonText('do_not_contact')).toBe('The prospect is marked do not contact.')
  expect(reasonText('tls_failed')).toBe('tls failed.')
})
