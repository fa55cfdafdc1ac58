import { expect, test } from 'vitest'
import { bandBetween, type Facts, suggestions } from '../../../../test/compared.ts'

/* Examples of how real listings of one business differ, and of different businesses whose values are nearly equal. */

const phone = '041 555 0101'
const here = { street: '12 Main Road', city: 'Gqeberha' }
const there = { street: '90 Oak Street', city: 'Gqeberha' }
const branch = (at: number): Facts => ({ street: `${at * 40} Kloof Street`, city: 'George', phone: `044 555 020${at}` })

test.for<[what: string, a: Facts, b: Facts, band: string | null, others?: Facts[]]>([
  ['it moved within the town', { ...here, phone }, { ...there, phone }, 'strong'],
  ['one number is mistyped', { ...here, phone }, { ...here, street: '340 Main Road', phone }, 'strong'],
  [
    'a landmark in place of the street',
    { ...here, phone },
    { ...here, street: 'Corner of Long and Kerk St', phone },
    'strong',
  ],
  [
    'a longer name, and it moved',
    { ...here, phone },
    { ...there, name: 'Karoo Windpumps by the Mile', phone },
    'strong',
  ],
  [
    'a parent, and it moved',
    { ...here, name: 'Karoo', phone },
    { ...there, name: 'Camdeboo Group – Karoo', phone },
    'review',
  ],
  ['nothing is known but the towns', { city: 'Gqeberha', phone }, { city: 'George', phone }, 'review'],
  [
    'it moved to another town, or has a branch there',
    { ...here, phone },
    { ...there, city: 'George', phone },
    'review',
  ],
  [
    'one phone, and others have the name',
    { ...here, phone },
    { ...there, phone },
    'review',
    [branch(1), branch(2), branch(3)],
  ],
  [
    'it moved, and is listed twice where it was',
    { ...here, phone },
    { ...there, phone },
    'review',
    [{ ...here, phone }],
  ],
  ['three branches share a switchboard', { ...here, phone }, { ...there, phone }, null, [{ ...branch(1), phone }]],
  ['each branch has its own phone', { ...here, phone }, { ...there, phone: '041 555 0199' }, null],
  [
    'a share-call number is the whole organisation’s',
    { ...here, phone: '0861 555 010' },
    { ...there, phone: '0861 555 010' },
    null,
  ],
  [
    'branches that say where they are',
    { ...here, name: 'Karoo (Durban)', phone },
    { ...there, name: 'Karoo (George)', phone },
    null,
  ],
])('the same name, another place: %s', ([, a, b, band, others]) => {
  expect(bandBetween(a, b, others)).toBe(band)
})

const site = { ...here, phone }

test.for<[what: string, name: string, other: string, a: Facts, b: Facts, band: string | null]>([
  ['a parent organisation before it', 'Karoo Windpumps', 'Camdeboo Society – Karoo Windpumps', site, site, 'strong'],
  ['a department before it', 'Karoo Windpumps', 'Department of Works, Karoo Windpumps', site, site, 'strong'],
  ['the place behind it', 'Marula', 'Marula at the Camdeboo', site, site, 'strong'],
  ['a slip in the name that it holds', 'Marula', 'Camdeboo Society – Marulla', site, site, 'strong'],
  [
    'the same, with another line',
    'Marula',
    'Camdeboo Society – Marula',
    site,
    { ...here, phone: '041 555 0199' },
    'review',
  ],
  ['a shop that is named after its mall', 'Camdeboo', 'Marula Camdeboo', here, here, 'review'],
  ['another firm under one roof', 'Marula', 'Camdeboo Society', site, site, null],
])('one name contains the other: %s', ([, name, other, a, b, band]) => {
  expect(bandBetween({ ...a, name }, { ...b, name: other })).toBe(band)
})

const otherLine = { ...here, phone: '041 555 0199' }
const elsewhere = { ...there, phone: '041 555 0199' }

test.for<[what: string, name: string, other: string, a: Facts, b: Facts, band: string | null]>([
  ['one address, another phone', 'Marula Care', 'Marula Childcare', site, otherLine, 'review'],
  ['two outlets of one building with one phone', 'Marula Cafe', 'Marula Lounge', site, site, 'review'],
  [
    'and more in common',
    'Marula Impala Cafe',
    'Marula Impala Lounge',
    { ...site, domain: 'marula.co.za' },
    { ...site, domain: 'marula.co.za' },
    'review',
  ],
  ['one name leaves out what it is', 'Marula Cafe', 'Marula', site, site, 'strong'],
  ['another building and another phone', 'Marula Care', 'Marula Childcare', site, elsewhere, null],
  ['no word of its own', 'Cafe and Grill', 'Lounge and Grill', site, otherLine, null],
])('names that differ in the kind of outlet: %s', ([, name, other, a, b, band]) => {
  expect(bandBetween({ ...a, name }, { ...b, name: other })).toBe(band)
})

test.for<[what: string, a: Facts, b: Facts, band: string | null]>([
  ['another line of the area', site, otherLine, 'strong'],
  ['another area', site, { ...here, phone: '011 555 0199' }, 'strong'],
  [
    'another line, and a name that is alike',
    site,
    { ...otherLine, name: 'Karoo Pumps and Windpumps Camdeboo' },
    'review',
  ],
  ['another line, and another name', site, { ...otherLine, name: 'Botha Attorneys' }, null],
])('one address and a conflicting phone: %s', ([, a, b, band]) => {
  expect(bandBetween(a, b)).toBe(band)
})

const long = { name: 'Marula', phone: '041 555 0101', city: 'Gqeberha' }
const short = { name: 'Camdeboo Society – Marula', phone: '555 0101' }

test.for<[what: string, a: Facts, b: Facts, band: string | null]>([
  ['the same seven digits', { ...long, phone: '5550101' }, { ...short, city: 'Gqeberha' }, 'strong'],
  ['the same digits in another town', { ...long, phone: '5550101' }, { ...short, city: 'Durban' }, null],
  ['the end of a whole number, and a building', { ...long, ...here }, { ...short, ...here }, 'strong'],
  ['the end of a whole number in another town', { ...long, city: 'Durban' }, { ...short, city: 'Gqeberha' }, null],
  ['the end of a whole number alone is weak', long, { ...short, city: 'Gqeberha' }, null],
])('a phone without its area code: %s', ([, a, b, band]) => {
  expect(bandBetween(a, b)).toBe(band)
})

test('reasons name the evidence: an unshared phone, street numbers, contradictions', () => {
  const reasonsOf = (a: Facts, b: Facts, others: Facts[] = []) =>
    suggestions([a, b, ...others])
      .find(({ pair }) => pair === 'r0 r1')
      ?.reasons.map(({ text }) => text)
  const moved = { ...here, street: '340 Main Road', phone }
  expect(reasonsOf({ ...here, phone }, moved)).toEqual(
    expect.arrayContaining([
      'same phone +27415550101, used by no other prospect',
      'the street numbers differ: 12 and 340',
      'no other prospect has this name and phone: the business may have moved, or one address is wrong',
    ]),
  )
  expect(reasonsOf({ ...here, phone }, moved, [moved])).toContain(
    'same phone +27415550101, shared by 1 other at 2 places',
  )
  expect(reasonsOf({ ...site, name: 'Marula Cafe' }, { ...site, name: 'Marula Lounge' })).toContain(
    'each name adds something to the other: these may be two outlets',
  )
  expect(reasonsOf({ ...here, phone }, { ...there, city: 'George', phone })).toContain(
    'one may be a branch: the towns differ, or other prospects have the same name',
  )
})
