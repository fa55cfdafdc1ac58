import { expect, test } from 'vitest'
import { readPastedLine, readStoredValue, readTypedValue } from './read-line.rules.ts'

function readAs(line: string): string {
  const read = readPastedLine(line, { region: 'ZA', domainScope: 'exact' })
  return 'refusal' in read ? read.refusal.code : spoken(read)
}

test.for([
  ['victim@kappertjie.co.za\tunsubscribed', 'victim@kappertjie.co.za without unsubscribed'],
  ['Jan\tvictim@kappertjie.co.za\t2026-11-28 08:30', 'victim@kappertjie.co.za without Jan · 2026-11-28 08:30'],
  ['Jan <jan@x.co.za>', 'jan@x.co.za without Jan'],
  ['"jan@x.co.za"', 'jan@x.co.za'],
  ['jan@x.co.za;;', 'jan@x.co.za'],
  ['jan [at] x [dot] co [dot] za', 'jan@x.co.za'],
  ['+27 82 555 8826 ext. 4', '+27825558826 without ext. 4'],
  ['WhatsApp: 082 555 8834', '+27825558834 without WhatsApp'],
  ['082-555-8802 (Jan)', '+27825558802 without (Jan)'],
  ['012-555-1000 ext 3', '+27125551000 without ext 3'],
  ['Kappertjie\tkappertjie.co.za\tn.a.', 'kappertjie.co.za without Kappertjie · n.a.'],
  ['@kappertjie.co.za', 'kappertjie.co.za'],
  ['082 555 8834 8-17', '+27825558834 without 8-17'],
  ['24/7 082 555 8834', '+27825558834 without 24/7'],
  ['082_555_8834', '+27825558834'],
  ['+44 20 7946 0958 ext. 4', '+442079460958 without ext. 4'],
  ['jan@karoo.lan\tJan', 'unknown_suffix'],
  ['_jan@karoo.co.za', 'leading_sign'],
  // The same value twice is one value.
  ['jan@x.co.za\tJAN@x.co.za\tJan', 'jan@x.co.za without Jan'],
  // An unreadable number beside an address is ignored text.
  ['victim@kappertjie.co.za\t+2782555884', 'victim@kappertjie.co.za without +2782555884'],
  ['victim@kappertjie.co.za\t082 555 8826', 'several_values'],
  ['jan@x.co.za; piet@x.co.za', 'several_values'],
  ['082 555 8826 / 083 555 8834', 'several_values'],
  ['victim@kappertjie.co.za\tkappertjie.co.za', 'several_values'],
  // One of two addresses is spelled out.
  ['jan@karoo.co.za piet [at] karoo.co.za', 'several_values'],
  ['jan@karoo.co.za; piet at karoo dot co dot za', 'several_values'],
  ['jan@x.co.za or piet at y.co.za', 'several_values'],
  ['082 555 8834\tpiet [at] y.co.za', 'several_values'],
  // The second number lacks its area code. Another cell of a row can be a reference.
  ['082 555 8834 or 555 1212', 'several_values'],
  ['082 555 8834\t5551212', '+27825558834 without 5551212'],
  ['jan@x.co.za (jan at x.co.za)', 'jan@x.co.za without (jan at x.co.za)'],
  // An address in a link, and an address after a bullet.
  ['http://karoo.co.za/unsubscribe/jan@karoo.co.za', 'jan@karoo.co.za'],
  ['karoo.co.za/unsubscribe/jan@karoo.co.za', 'jan@karoo.co.za'],
  ['•jan@karoo.co.za', 'jan@karoo.co.za'],
  ['✉jan@karoo.co.za\tJan', 'jan@karoo.co.za without Jan'],
  ['https://k.co.za/u?x=jan@karoo.co.za', 'not_an_email_address'],
  ['k.co.za/u?jan@karoo.co.za', 'not_an_email_address'],
  ['email=jan@karoo.co.za', 'not_an_email_address'],
  ['a=1&email=jan@karoo.co.za', 'not_an_email_address'],
  ['SRS0=ab=x.co.za=jan@relay.co.za', 'srs0=ab=x.co.za=jan@relay.co.za'],
  ['a/b@x.co.za', 'a/b@x.co.za'],
  // A date beside a number; a series, in which each number needs an entry.
  ['2026/11/28 082 555 8834', '+27825558834 without 2026/11/28'],
  ['0825558834/5', 'several_values'],
  ['082 555 8834/35', 'several_values'],
  ['082 555\t8826', 'no_value'],
  // The first digits of a number that a spreadsheet shortened are no number of their own.
  ['2.78255588E+10', 'shortened_number'],
  ['Jan\t2.78255588E+10\tstop', 'shortened_number'],
  ['2.7825558802E+10', '+27825558802'],
  ['082 555\v8826', 'no_value'],
  ['vic\ttim', 'no_value'],
  ['Email\tStatus', 'no_value'],
  ['what; is this', 'no_value'],
  ['+2782555884', 'impossible_number'],
  ['082 555 884', 'impossible_number'],
  ['ID 8001015009087', 'not_a_phone_number'],
  ['co.za\tJan', 'public_suffix'],
  ['Jan\tgmail.com', 'free_mail'],
  ['victim@kappertjie.co.za\0unsubscribed', 'unprintable'],
  [`${'x'.repeat(321)}@x.co.za\tJan`, 'too_long'],
] as const)('the pasted line %j is read as %j', ([line, expected]) => {
  expect(readAs(line)).toBe(expected)
})

test.for([
  ['email', 'victim@kappertjie.co.za unsubscribed', 'victim@kappertjie.co.za without unsubscribed'],
  ['email', 'Jan <jan@x.co.za>', 'jan@x.co.za without Jan'],
  ['email', 'jan@x.co.za 082 555 8826', 'jan@x.co.za without 082 555 8826'],
  ['email', 'jan at x dot co dot za', 'jan@x.co.za'],
  ['phone', 'WhatsApp: 082 555 8834', '+27825558834 without WhatsApp'],
  ['phone', '082 555 8834', '+27825558834'],
  ['phone', '082 555 8834 x4', '+27825558834 without x4'],
  ['phone', '082 555 8826, 083 555 8834', 'several_numbers'],
  ['email', 'jan@karoo.co.za piet [at] karoo.co.za', 'several_addresses'],
  ['email', 'jan@x.co.za or piet at y.co.za', 'several_addresses'],
  ['phone', '082 555 8834 or 555 1212', 'several_numbers'],
  ['phone', '082 555 8834/5', 'several_numbers'],
  ['phone', 'kappertjie.co.za', 'not_a_phone_number'],
  ['phone', '082 555 884', 'impossible_number'],
  ['domain', 'www.kappertjie.co.za', 'kappertjie.co.za'],
  ['domain', 'Website: kappertjie.co.za', 'kappertjie.co.za without Website'],
] as const)('the typed %s %j is read as %j', ([kind, value, expected]) => {
  const read = readTypedValue({ kind, value, region: 'ZA', scope: 'exact' })
  expect(spoken(read)).toBe(expected)
})

test.for([
  ['email', 'Jan <jan@x.co.za>', 'jan@x.co.za'],
  ['phone', 'WhatsApp: 082 555 8834', '+27825558834'],
  ['phone', '082 555 8834 (office 2)', '+27825558834'],
  ['phone', '082 555 8834/5', 'several_numbers'],
  ['phone', '082 555 8834 or 555 1212', 'several_numbers'],
  ['phone', '082 555 8834, jan@x.co.za', 'several_values'],
  ['phone', '082 555 8834 (jan at x.co.za)', 'several_values'],
  ['email', 'jan@x.co.za 082 555 8826', 'several_values'],
  ['email', 'jan@x.co.za or 555 1212', 'several_values'],
  ['email', 'jan@x.co.za piet [at] x.co.za', 'several_addresses'],
] as const)('the stored %s %j is read as %j', ([kind, value, expected]) => {
  const read = readStoredValue({ kind, value, region: 'ZA', scope: 'exact' })
  expect('code' in read ? read.code : read.normalized).toBe(expected)
})

function spoken(read: ReturnType<typeof readTypedValue>): string {
  if ('code' in read) return read.code
  const { entry, ignored } = read
  return ignored === null ? entry.normalized : `${entry.normalized} without ${ignored}`
}
