import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  escapeHtml,
  type HeldHead,
  htmlEnd,
  htmlHead,
  htmlItem,
  htmlPart,
  jsonEnd,
  jsonHead,
  jsonItem,
  jsonPart,
  jsonPartEnd,
} from '../held-file.rules.ts'

const head: HeldHead = {
  writtenAt: '2026-12-01T08:00:00.000Z',
  timeZone: 'Africa/Johannesburg',
  workspace: '<i>Karoo</i> & Co',
  about: '"Quagga"',
  isSuppressed: true,
  records: [{ id: '1', name: "O'Hara <b>", doNotContact: true }],
  notes: ['A <note>.'],
}
const part = { key: 'notes', title: 'Notes', columns: { text: 'Text', created_at: 'Written at' } }

test('every typed text is escaped in the page, whatever its signs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const row = { text, created_at: '2026-12-01T08:00:00.000Z' }
      const shown = htmlItem(part, { row, suppressed: [] }, 'UTC')
      expect(shown.replace(/<\/?(?:dl|dt|dd)>/g, '')).not.toMatch(/[<>"']/)
      expect(escapeHtml(text)).not.toMatch(/[<>"']/)
    }),
  )
  const page = htmlHead(head) + htmlPart({ ...part, title: '<script>' }) + htmlEnd
  expect(page).not.toMatch(/<(?:script|i|note|b)>/)
  expect(page).toContain('&lt;i&gt;Karoo&lt;/i&gt; &amp; Co')
})

test('the page loads nothing, and marks what is do not contact', () => {
  const page = htmlHead(head) + htmlItem(part, { row: { text: 'a@b.example' }, suppressed: ['text'] }, 'UTC')
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/(?:src|href)=/)
  expect(page.match(/Do not contact/g)).toHaveLength(3)
})

test('the parts of the JSON file make one document', () => {
  const rows = [{ text: 'One "two" \n three', created_at: 'x' }, { text: null }]
  const items = rows.map((row, at) => jsonItem(part, { row, suppressed: at === 0 ? ['created_at'] : [] }, at === 0))
  const text = `${jsonHead(head)}${jsonPart(part, true)}${items.join('')}${jsonPartEnd}${jsonPart(part, false)}${jsonPartEnd}${jsonEnd}`
  expect(JSON.parse(text)).toMatchObject({
    about: '"Quagga"',
    parts: [
      {
        key: 'notes',
        items: [{ text: 'One "two" \n three', createdAt: 'x', suppressed: ['createdAt'] }, { text: null }],
      },
      { key: 'notes', items: [] },
    ],
  })
})
