import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EXAMINED_CHARACTERS } from '../bounds.ts'
import { redact } from './redact.rules.ts'

/** Contact values, numbers and secrets in spellings that people use. */
const secrets = [
  '082 123 4567',
  '+27 82 123 4567',
  '(021) 555-0100',
  '0 8 2 1 2 3 4 5 6 7',
  '082.123.4567',
  '０８２１２３４５６７',
  '8001015009087',
  '4123456789',
  'info@karoo.co.za',
  'info [at] karoo [dot] co [dot] za',
  'info at karoo dot co dot za',
  'info＠karoo.co.za',
  'https://karoo.co.za/contact?a=1',
  'www.karoo.co.za',
  'karoo.co.za',
  'ghp_abcdefghij0123456789',
  'sk-proj-abc123def456',
  'password: correcthorse',
  'api key = 9f8e7d6c5b',
  'postgres://admin:hunter22@db.internal/app',
  'AKIAIOSFODNN7ABCDEFG',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
] as const

const harmless = [
  'The workshop repairs windpumps for farms around the town.',
  'Open on weekdays from 8 to 5.',
  'Founded by the family in the nineties; 14 people work there.',
  'Sells pumps, pipes and tanks.',
]

test('the page behind a host is masked with the host', () => {
  const sent = (text: string) => redact(text).text
  expect(sent('See facebook.com/jan.botha, or karoo.co.za:8080/a?b=c#d today')).toBe('See [domain] or [domain] today')
  expect(sent('(linktr.ee/janbotha) and karoo.co.za.')).toBe('([domain]) and [domain].')
})

test.each(harmless)('%j is sent as it is', (text) => {
  expect(redact(text)).toEqual({ text, counts: new Map(), withheld: null })
})

test('no listed secret is in what is sent, whatever stands around it', () => {
  const words = fc.constantFrom('Call', 'ask for', 'the', 'shop', 'or', '-', '(', ')', ':', 'today')
  const around = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(around, fc.constantFrom(...secrets), around, (before, secret, after) => {
      const { text, withheld } = redact(`${before} ${secret} ${after}`)
      const digits = secret.normalize('NFKC').replace(/\D/g, '')
      const isGone = !text.includes(secret) && (digits.length < 6 || !text.replace(/\D/g, '').includes(digits))
      expect([secret, text, withheld !== null || isGone]).toEqual([secret, text, true])
    }),
  )
})

test.each([
  ['<p>We repair <b>wind</b>pumps.</p><script>var sid = "a1"</script>', 'We repair windpumps.'],
  ['<!-- sid=8f3a --> Pumps <style>p{}</style>and tanks', 'Pumps and tanks'],
  ['<!DOCTYPE html><html><head><title>x</title></head><body onload="f()">Pumps<br>Tanks</body></html>', 'Pumps Tanks'],
  ['&lt;script&gt;alert(1)&lt;/script&gt; Pumps &amp; tanks', 'Pumps & tanks'],
  ['Pumps <script>alert(1)', 'Pumps'],
])('markup is removed from %j', (text, sent) => {
  expect(redact(text)).toMatchObject({ text: sent, withheld: null })
  expect(redact(text).counts.get('markup')).toBeGreaterThan(0)
})

test.each([
  ['082<b>765</b>4321', '0827654321'],
  ['082&nbsp;765&#45;4321', '0827654321'],
  ['info<!-- x -->@karoo.co.za', 'karoo'],
  ['info&commat;karoo&period;co&period;za', 'karoo'],
  ['<a href="mailto:info@karoo.co.za">Mail</a>', 'karoo'],
  ['Jan <info@karoo.co.za>', 'karoo'],
  ['<password>hunter2</password>', 'hunter2'],
  ['<td>Password</td><td>hunter2</td>', 'hunter2'],
])('markup does not hide the value in %j', (text, value) => {
  const { text: sent, withheld } = redact(text)
  expect(withheld !== null || !`${sent} ${sent.replace(/\D/g, '')}`.includes(value)).toBe(true)
})

test('no sign of a tag in an ordinary sentence is taken for one', () => {
  expect(redact('Pressure a < b and c > d.').text).toBe('Pressure a < b and c > d.')
})

test.each(['㌖', 'ﷺ', '㏂', '⁗', '…'])('a text of %j that NFKC makes too long is withheld with its reason', (sign) => {
  const times = Math.floor(EXAMINED_CHARACTERS / sign.normalize('NFKC').length)
  expect(redact(sign.repeat(times)).withheld).not.toBe('too_long')
  expect(redact(sign.repeat(times + 1))).toEqual({ text: '', counts: new Map(), withheld: 'too_long' })
})
