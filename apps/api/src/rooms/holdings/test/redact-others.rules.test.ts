import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OTHER_VALUE as OTHER, redactorOf, redactRow } from '../redact-others.rules.ts'

const ofEmail = redactorOf({ kind: 'email', normalized: 'quagga@zonkey.example' })
const ofPhone = redactorOf({ kind: 'phone', normalized: '+27821234567' })

test.each([
  ['Call 082 123 4567, or Ben on 083 765 4321.', `Call ${OTHER}, or Ben on ${OTHER}.`, 'Call 082 123 4567, or Ben on '],
])('numbers in %j', (text, forEmail, forPhone) => {
  expect(ofEmail(text)).toBe(forEmail)
  expect(ofPhone(text)).toBe(`${forPhone}${OTHER}.`)
})

test('the value itself stays in every spelling, and other addresses are replaced', () => {
  expect(ofEmail('QUAGGA@Zonkey.example wrote, copy to ben@zonkey.example and eve [at] zonkey [dot] example.')).toBe(
    `QUAGGA@Zonkey.example wrote, copy to ${OTHER} and ${OTHER}.`,
  )
  expect(ofPhone('+27 82 123 4567, (082) 123-4567')).toBe('+27 82 123 4567, (082) 123-4567')
})

test('a local number of another country stays if it is the value', () => {
  const redact = redactorOf({ kind: 'phone', normalized: '+493012345678' })
  expect(redact('030 12345678, not 082 123 4567')).toBe(`030 12345678, not ${OTHER}`)
})

test('addresses of pages, ids, times and codes stay', () => {
  const row = {
    url: 'https://www.zonkey.example/contact',
    id: '0191f0a0-0000-7000-8000-082123456789',
    at: '2026-12-01T08:00:00.000Z',
    action: 'business.create',
    after: { emails: [{ value: 'ben@zonkey.example' }], version: 12 },
  }
  expect(redactRow(row, ofPhone)).toEqual({ ...row, after: { emails: [{ value: OTHER }], version: 12 } })
})

test('a collection about a domain contains the addresses at the domain', () => {
  const redact = redactorOf({ kind: 'domain', normalized: 'zonkey.example' })
  expect(redact('ben@zonkey.example, ben@other.example')).toBe(`ben@zonkey.example, ${OTHER}`)
})

test('no other address survives beside any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
      expect(ofPhone(`${before} ben@zonkey.example ${after}`)).not.toContain('ben@zonkey.example')
    }),
  )
})
