import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasSeveralCells, isUnprintable, partsOfLine } from './line-values.rules.ts'

const written = (line: string) => partsOfLine(line).map(({ kind, text }) => (kind === null ? text : `${kind} ${text}`))

test.for([
  // rows of a spreadsheet
  ['victim@kappertjie.co.za\tunsubscribed', ['email victim@kappertjie.co.za', 'unsubscribed']],
  ['1\tJan Botha\tjan@x.co.za\t2026-11-28', ['1', 'Jan Botha', 'email jan@x.co.za', '2026-11-28']],
  ['"jan@x.co.za"\t"Asked ""twice"""', ['email jan@x.co.za', 'Asked "twice"']],
  ['jan@x.co.za\u2028left', ['email jan@x.co.za', 'left']],
  ['jan@x.co.za\vleft', ['email jan@x.co.za', 'left']],
  ['082 555\t8826', ['082 555', '8826']],
  ['kapp\tertjie.co.za', ['kapp', 'domain ertjie.co.za']],
  // cells of other files
  ['jan@karoo.co.za | 082 555 8826 | Jan', ['email jan@karoo.co.za', 'phone 082 555 8826', 'Jan']],
  ['jan@karoo.co.za;;', ['email jan@karoo.co.za']],
  ['jan@x.co.za, kappertjie.co.za', ['email jan@x.co.za', 'domain kappertjie.co.za']],
  ['a@b.co.za/c@d.co.za', ['email a@b.co.za', 'email c@d.co.za']],
  // addresses
  ['Jan <jan@x.co.za>', ['Jan', 'email jan@x.co.za']],
  ["o'brien@x.co.za", ["email o'brien@x.co.za"]],
  ['mailto:jan@x.co.za?subject=stop', ['email jan@x.co.za', '?subject=stop']],
  ['v@k.co.za/unsubscribed', ['email v@k.co.za', 'unsubscribed']],
  ['jan [at] x.co.za', ['email jan [at] x.co.za']],
  ['jan @ x.co.za', ['email jan @ x.co.za']],
  ['a@b@c.co.za', ['email a@b@c.co.za']],
  ['27825558826@whatsapp.com', ['email 27825558826@whatsapp.com']],
  ['jan＠karoo.co.za', ['email jan＠karoo.co.za']],
  // numbers
  ['+27 82 555 8826 ext. 4', ['phone +27 82 555 8826', 'ext. 4']],
  ['(021) 555-6601 x4', ['phone (021) 555-6601', 'x4']],
  ['WhatsApp: 082 555 8834', ['WhatsApp', 'phone 082 555 8834']],
  ['082-555-8802 (Jan)', ['phone 082-555-8802', '(Jan)']],
  ['021 555 6601 (2)', ['phone 021 555 6601', '(2)']],
  ['tel:+27825558826', ['phone +27825558826']],
  ['082 555 8826 +27 83 555 8834', ['phone 082 555 8826', 'phone +27 83 555 8834']],
  ['０８２１２３４５６７', ['phone ０８２１２３４５６７']],
  ['+27\u200b82\u00a0123\u20114567', ['phone +27\u200b82\u00a0123\u20114567']],
  ['1. 082 555 8826', ['1.', 'phone 082 555 8826']],
  ['12) 082 555 8826', ['12)', 'phone 082 555 8826']],
  ['2026-11-28 08:30', ['2026-11-28 08:30']],
  ['28/11/2026', ['28/11/2026']],
  ['2026/11/28 082 555 8834', ['2026/11/28', 'phone 082 555 8834']],
  ['28.11.2026 08:30 082 555 8834', ['28.11.2026 08:30', 'phone 082 555 8834']],
  ['082 555 8834 2026-11-28', ['phone 082 555 8834', '2026-11-28']],
  ['(2026-11-28) +27 82 555 8834', ['(2026-11-28)', 'phone +27 82 555 8834']],
  ['2026-11-28 2026-11-29', ['2026-11-28 2026-11-29']],
  ['0825558834/5', ['phone 0825558834/5']],
  ['082/555/8834', ['phone 082/555/8834']],
  ['0825 5588/34', ['phone 0825 5588/34']],
  ['A0825558826', ['A0825558826']],
  // numbers that a spreadsheet shortened
  ['8.2555E+08', ['phone 8.2555E+08']],
  ['Jan 2.78255588E+10 stop', ['Jan', 'phone 2.78255588E+10', 'stop']],
  // domains
  ['website: karoo.co.za', ['website', 'domain karoo.co.za']],
  ['https://wa.me/27825558826', ['domain https://wa.me/27825558826']],
  ['0825558826.co.za', ['domain 0825558826.co.za']],
  ['@kappertjie.co.za', ['domain kappertjie.co.za']],
  ['karoo.co.za (old site)', ['domain karoo.co.za', '(old site)']],
  ['see karoo.co.za please', ['see karoo.co.za please']],
  ['what?', ['what?']],
] as const)('%j has the parts %j', ([line, parts]) => {
  expect(written(line)).toEqual(parts)
})

test('the parts of any line are texts of the line in their order, and no part contains the end of a cell', () => {
  const piece = fc.constantFrom(
    'a@b.co.za',
    '082 555 8826',
    'x.co.za',
    'Jan',
    '\t',
    '\r\n',
    '\v',
    ';',
    ' ',
    '(',
    '+',
    '@',
    '1',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
        fc.string().map((text) => text.replaceAll('"', ' ')),
      ),
      (line) => {
        let from = 0
        for (const { text } of partsOfLine(line)) {
          const plain = line.replaceAll('""', '"')
          const at = plain.indexOf(text, from)
          expect([line, text, at >= from]).toEqual([line, text, true])
          expect(text).not.toMatch(/[\t\v\f\r\n\u0085\u2028\u2029]/)
          from = at + text.length
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a line with several cells is distinguished from one text, and unprintable characters are detected', () => {
  expect(['a\tb', 'a\r\nb', 'a\u2028b', ' a ', '\ta'].map(hasSeveralCells)).toEqual([true, true, true, false, false])
  expect(['a\0b', 'a\u001fb', 'a\u007fb', 'a\tb', 'a\vb', 'Jan'].map(isUnprintable)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
