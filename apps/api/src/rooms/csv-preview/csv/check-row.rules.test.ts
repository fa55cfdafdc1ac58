import { describe, expect, test } from 'vitest'
import { createBusinessSchema } from '../../businesses/businesses.schema.ts'
import { isNumberFact } from '../../businesses/businesses.ts'
import { addNoteSchema } from '../../notes/notes.schema.ts'
import { addPersonSchema } from '../../people/people.schema.ts'
import { createRowCheck, fieldLengths } from './check-row.rules.ts'
import { type CsvField, csvFields, isFact, type Mapping } from './fields.ts'

const check = (mapping: Mapping, cells: string[], phoneRegion: string | null = null) =>
  createRowCheck({ mapping, width: mapping.length, delimiter: ',', phoneRegion })(
    [...cells],
    cells.some((cell) => cell.includes('\n')),
  )
const codes = (found: { column: number; code: string }[]) => found.map(({ column, code }) => `${column}:${code}`)

/** Returns the body of the request that would create a prospect with this value in this field. */
function bodyWith(field: CsvField, value: string): Record<string, unknown> {
  if (field === 'email' || field === 'phone' || field === 'domain') return { name: 'Any', [`${field}s`]: [{ value }] }
  if (field === 'tag') return { name: 'Any', tags: [value] }
  if (field === 'contactPerson') return { name: 'Any', emails: [{ value: 'a@b.co.za', label: value }] }
  const [head, part] = field.split('.')
  return part === undefined ? { name: 'Any', [field]: value } : { name: 'Any', [`${head}`]: { [part]: value } }
}

const isNumber = (field: CsvField) => isFact(field) && isNumberFact(field)

test.for(csvFields.filter((field) => field !== 'doNotContact' && !isNumber(field)))(
  'the maximum length of %s equals that of a new prospect',
  (field) => {
    const accepts = (length: number) =>
      field === 'note'
        ? addNoteSchema.safeParse({ text: 'x'.repeat(length) }).success
        : field === 'role'
          ? addPersonSchema.safeParse({ name: 'Any', role: 'x'.repeat(length) }).success
          : createBusinessSchema.safeParse(bodyWith(field, 'x'.repeat(length))).success
    expect([accepts(fieldLengths[field]), accepts(fieldLengths[field] + 1)]).toEqual([true, false])
  },
)

describe('a cell', () => {
  test.for([
    ['name', '', 'missing_name'],
    ['name', '  ', 'missing_name'],
    ['name', 'x'.repeat(201), 'too_long'],
    ['industry', 'a\nb', 'several_lines'],
    ['industry', 'a\u0007b', 'unprintable'],
    ['email', 'info@karoo', 'not_an_email_address'],
    ['domain', 'karoo', 'single_label'],
    ['employees', '50+', 'not_a_whole_number'],
    ['employees', '11-50', 'not_a_whole_number'],
    ['employees', '~20', 'not_a_whole_number'],
    ['employees', '1.000', 'not_a_whole_number'],
    ['employees', '10000001', 'number_too_large'],
    ['phone', 'ask at the gate', 'not_a_phone_number'],
    ['phone', '082 123 4567', 'phone_without_country'],
    [null, '=1+1', 'formula'],
    [null, '@SUM(A1)', 'formula'],
    [null, '+cmd|calc', 'formula'],
    [null, '-2+3+cmd', 'formula'],
    [null, '\u200b =1+1', 'formula'],
  ] as const)('of %s that holds %j has the problem %s', ([field, cell, problem]) => {
    expect(codes(check([field], [cell]).problems)).toEqual([`0:${problem}`])
  })

  test.for([
    ['phone', '+27 82 123 4567'],
    ['phone', '+27 (0)82 123-4567'],
    [null, '-12.5'],
    [null, '+27821234567'],
    ['email', ''],
    ['address.province', 'Gauteng'],
  ] as const)('of %s that holds %j has none', ([field, cell]) => {
    const { problems, notes } = check([field], [cell])
    expect([problems, notes]).toEqual([[], []])
  })

  test('with an export guard is read without it, with a note', () => {
    for (const cell of ['=1+1', '+27 82 123 4567', '-x', '@x', '\tx', '\rx']) {
      const row = check([null], [`'${cell}`])
      expect([row.cells, codes(row.problems), codes(row.notes)]).toEqual([[cell], [], ['0:guard_removed']])
    }
    expect(check([null], ["'t is so"]).cells).toEqual(["'t is so"])
  })

  test('with a local number is read once the person chooses a country', () => {
    expect(check(['phone'], ['082 123 4567'], 'ZA')).toMatchObject({
      problems: [],
      contacts: [{ kind: 'phone', normalized: '+27821234567', region: 'ZA' }],
    })
  })
})

test('a row that is too short or too long is reported at the column where it differs', () => {
  expect(codes(check(['name', null], ['a']).problems)).toEqual(['1:missing_cells'])
  expect(codes(check(['name', null], ['a', 'b', 'c']).problems)).toEqual(['2:extra_cells'])
})

describe('the place of a row', () => {
  const place: Mapping = [
    'name',
    'address.street',
    'address.city',
    'address.province',
    'address.postalCode',
    'address.country',
  ]
  const notesOf = (mapping: Mapping, ...cells: string[]) => check(mapping, ['Karoo', ...cells]).notes

  test.for([
    [['', 'Middelburg', '', '', ''], 2, 'city_in_several_provinces', 'Middelburg can be in Eastern Cape or Mpumalanga'],
    [
      ['', 'Durban', 'Western Cape', '', ''],
      2,
      'city_in_another_province',
      'Durban is in KwaZulu-Natal, the record says Western Cape',
    ],
    [
      ['', 'Cape Town', '', '2000', ''],
      4,
      'postal_code_in_another_province',
      'Postal code 2000 is in Gauteng, Cape Town is in Western Cape',
    ],
    [['', '', 'NP', '', ''], 3, 'province_ambiguous', '“NP” can be Limpopo or Northern Cape'],
    [
      ['8 Church Street, Richmond', '', '', '', ''],
      1,
      'city_in_several_provinces',
      'Richmond can be in KwaZulu-Natal or Northern Cape',
    ],
  ] as const)('%j has a note in words', ([cells, column, code, text]) => {
    const { problems, notes } = check(place, ['Karoo', ...cells])
    expect([problems, notes]).toEqual([[], [{ column, code, text }]])
  })

  test('has no note if the parts agree, or if the row lacks cells', () => {
    expect(notesOf(place, '', 'Middelburg', 'Mpumalanga', '1050', 'South Africa')).toEqual([])
    expect(notesOf(place, '', ' Richmond ', '', '', 'United States')).toEqual([])
    expect(notesOf(place)).toEqual([])
  })

  test('is noted at the column that names it', () => {
    const text = 'Postal code 2000 is in Gauteng, Cape Town is in Western Cape'
    expect(notesOf(['name', 'address.city'], 'Cape Town 2000')).toEqual([
      { column: 1, code: 'postal_code_in_another_province', text },
    ])
    expect(notesOf(['name', 'address.street'], '8 Church Street, Richmond')).toMatchObject([{ column: 1 }])
  })

  test('notes a province that no list has by its code alone', () => {
    expect(notesOf(['name', 'address.province'], 'Nova Scotia')).toEqual([{ column: 1, code: 'unknown_province' }])
  })
})

test('values within a cell are read, and a note says so instead of a problem', () => {
  const { contacts, problems, notes } = check(['phone'], ['021 555 6601; 082 555 8826 (Jan)'], 'ZA')
  expect(contacts[0]?.within.map(({ normalized }) => normalized)).toEqual(['+27215556601', '+27825558826'])
  expect([problems, codes(notes)]).toEqual([[], ['0:values_within']])
  expect(codes(check(['phone'], ['Jan 082 555 8826']).problems)).toEqual(['0:phone_without_country'])
})

describe('columns that say do not contact', () => {
  const said = (...cells: string[]) => check(['name', ...cells.map(() => 'doNotContact' as const)], ['Karoo', ...cells])

  test.for([
    ...[
      'yes',
      'Ja',
      'J',
      ' x ',
      'X',
      '1',
      '1.0',
      'TRUE',
      'waar',
      'STOP',
      'stop!',
      'opt-out',
      'Opted out',
      'Unsubscribed',
    ],
    ...['Do not contact', 'DNC', 'Moenie kontak nie', 'afgemeld', '\u2713', '\u2611'],
  ])('read %j as yes', (cell) => expect(said(cell)).toMatchObject({ said: 'yes', problems: [] }))

  test.for(['', ' ', 'no', 'N', 'Nee', 'nee.', '0', '0.0', 'false', 'ONWAAR', '-', '\u2013', 'opt-in', '\u2610'])(
    'read %j as no',
    (cell) => expect(said(cell)).toMatchObject({ said: 'no', problems: [] }),
  )

  test.for(['maybe', 'n/a', '?', 'ja?', '2', 'ask Jan', '2026-11-28', 'moontlik', 'nee, bel eers', '\u2717'])(
    'report %j as unclear',
    (cell) => {
      const row = said(cell)
      expect([row.said, codes(row.problems)]).toEqual(['unclear', ['1:unclear_do_not_contact']])
    },
  )

  test('one yes wins over any no or unclear cell, and unclear wins over no', () => {
    expect(said('no', 'x').said).toBe('yes')
    expect(said('x', 'maybe').said).toBe('yes')
    expect(said('no', 'maybe').said).toBe('unclear')
    expect(check(['name'], ['Karoo']).said).toBeNull()
  })
})

test('a cell that contains whole rows is reported, because a quote may be missing', () => {
  const cell = 'Karoo,Paarl\nSunrise,Upington\nTable 6'
  expect(codes(check(['industry', null], [cell, 'x']).problems)).toEqual(['0:rows_inside', '0:several_lines'])
  expect(codes(check([null, null], ['12 Main Road\nPaarl\n7646', 'x']).problems)).toEqual([])
})

test('a number with separators is given in digits, and one in digits as it is', () => {
  const numbers = ['1,200', '1 200', '50.0', ' 50 ', '120', ''].map((cell) => check(['employees'], [cell]))
  expect(numbers.flatMap(({ problems }) => problems)).toEqual([])
  expect(numbers.map((row) => row.numbers[0]?.text ?? null)).toEqual(['1200', '1200', '50', null, null, null])
})
