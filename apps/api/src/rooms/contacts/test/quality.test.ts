import { expect, test } from 'vitest'
import { readContacts } from '../reading/read-contacts.ts'
import { labelledPages } from './labelled-pages.ts'

/** Returns the values of the labelled pages that are proposed for review, in the form `page: value`. */
function proposed(): { open: string[]; expected: string[] } {
  const open: string[] = []
  const expected: string[] = []
  for (const { name, path = '/contact', role = 'other', html, open: wanted } of labelledPages) {
    const read = readContacts({
      bytes: Buffer.from(html),
      contentType: 'text/html; charset=utf-8',
      format: 'html',
      url: `https://karoo.co.za${path}`,
      role,
      ownDomains: ['karoo.co.za'],
      names: ['Karoo Fencing'],
      country: 'ZA',
      maxValues: 50,
    })
    open.push(...read.values.filter(({ rule }) => rule === null).map(({ value }) => `${name}: ${value}`))
    expected.push(...wanted.map((value) => `${name}: ${value}`))
  }
  return { open, expected }
}

test('of at least 80 labelled pages, proposals reach a precision of 0.98 and a recall of 0.95', () => {
  const { open, expected } = proposed()
  const right = open.filter((one) => expected.includes(one))
  expect(labelledPages.length).toBeGreaterThanOrEqual(80)
  expect({
    precision: right.length / open.length,
    recall: right.length / expected.length,
    wrong: open.filter((one) => !expected.includes(one)),
    missed: expected.filter((one) => !open.includes(one)),
  }).toEqual({ precision: 1, recall: 1, wrong: [], missed: [] })
})
