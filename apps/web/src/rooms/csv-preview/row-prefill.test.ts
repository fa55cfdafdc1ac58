import type { CsvPreview, CsvRow } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { mapColumn, settingsQuery } from './csv-settings.ts'
import { prefillOf, sourceLabelOf, sourceReference, withAll } from './row-prefill.ts'

const sha256 = 'a'.repeat(64)
const file = { name: 'list.csv', label: sourceLabelOf('list.csv', sha256) }
const columns: CsvPreview['columns'] = [
  { column: 1, name: 'Firm', field: 'name', suggested: null, because: null },
  { column: 2, name: 'Tel', field: 'phone', suggested: 'phone', because: 'header' },
  { column: 3, name: '', field: 'phone', suggested: null, because: null },
  { column: 4, name: 'Note', field: null, suggested: null, because: null },
]
const row = {
  row: 7,
  line: 9,
  cells: ['Karoo', '082 123 4567', '', 'likes\ttea'],
  values: [] as CsvRow['values'],
} as CsvRow
const preview = { columns, file: { bytes: 1, sha256 } } as CsvPreview

test('a row becomes form values as written, and an observation with its source', () => {
  const { values, source } = prefillOf(preview, row, file, 'ZA')
  expect(values).toMatchObject({
    name: 'Karoo',
    phones: [{ value: '082 123 4567', region: 'ZA' }],
    emails: [],
    tags: [],
  })
  expect(source).toEqual({
    place: 'row 7 of list.csv',
    label: 'CSV file list.csv (aaaaaaaa)',
    reference: `list.csv · row 7 (line 9) · SHA-256 ${sha256}`,
    observation: 'Firm: Karoo\nTel: 082 123 4567\nNote: likes\ttea',
  })
})

test('the lines of a cell are never joined: they are separated by a space in the form and in the observation', () => {
  const cells = ['Karoo', '082 123 4567\n083 123 4567', '+27 21 555\v0100', 'likes\0tea']
  const { values, source } = prefillOf(preview, { ...row, cells }, file, 'ZA')
  expect(values.phones).toMatchObject([{ value: '082 123 4567 083 123 4567' }, { value: '+27 21 555 0100' }])
  expect(source.observation).toContain('Note: likes tea')
})

test('a cell with several values fills several fields', () => {
  const cells = ['Karoo', '021 555 6601; 082 555 8826 (Jan)', '021 555 0100', '']
  const values = [{ column: 2, kind: 'phone' as const, texts: ['021 555 6601', '082 555 8826'] }]
  const prefill = prefillOf(preview, { ...row, cells, values }, file, 'ZA')
  expect(prefill.values.phones).toMatchObject([
    { value: '021 555 6601' },
    { value: '082 555 8826' },
    { value: '021 555 0100' },
  ])
})

test('every tag column is used, and each tag once', () => {
  const tags = [1, 2, 3].map((column) => ({ column, name: '', field: 'tag', suggested: null, because: null }) as const)
  const cells = ['Farm', 'Wind; Sun', 'Farm']
  const { values } = prefillOf({ ...preview, columns: tags }, { ...row, cells }, file, null)
  expect(values.tags).toEqual(['Farm', 'Wind', 'Sun'])
})

test('the contact person labels emails and phones and is a person with the role, notes keep their lines, and what the file says is passed on', () => {
  const fields = [
    ...(['name', 'contactPerson', 'contactPerson', 'role', 'email', 'phone', 'note', 'note', 'doNotContact'] as const),
  ]
  const of = fields.map((field, at) => ({ column: at + 1, name: '', field, suggested: null, because: null }))
  const cells = ['Karoo', 'Jan', 'Smit', 'Buyer', 'a@b.co.za', '082 123 4567', 'calls\nback', 'likes tea', 'ja']
  const prefill = prefillOf({ ...preview, columns: of }, { ...row, cells, said: 'yes' }, file, null)
  expect(prefill).toMatchObject({
    said: 'yes',
    note: 'calls\nback\nlikes tea',
    person: { name: 'Jan Smit', role: 'Buyer' },
    values: {
      emails: [{ value: 'a@b.co.za', label: 'Jan Smit' }],
      phones: [{ value: '082 123 4567', label: 'Jan Smit' }],
    },
  })
})

test('a long file name is shortened, its hash never', () => {
  const reference = sourceReference('x'.repeat(500), row, sha256)
  expect([reference.length, reference.endsWith(sha256)]).toEqual([200, true])
})

test('a field that occurs once leaves its previous column; the mapping is sent column by column', () => {
  expect(mapColumn(['name', null, 'email'], 2, 'name')).toEqual([null, 'name', 'email'])
  expect(mapColumn(['email', null], 2, 'email')).toEqual(['email', 'email'])
  expect(mapColumn(['note', null], 2, 'note')).toEqual(['note', 'note'])
  expect(settingsQuery({ headerLine: 3, mapping: ['name', null, 'email'] })).toEqual({
    headerLine: 3,
    mapping: '1:name,3:email',
  })
})

test('a file that was recorded under another name keeps its label', () => {
  const { source } = prefillOf(preview, row, { name: 'list (1).csv', label: file.label }, null)
  expect([source.label, source.place]).toEqual(['CSV file list.csv (aaaaaaaa)', 'row 7 of list (1).csv'])
})

test('tags, assignee and follow-up of all rows are added, and a follow-up in the past is left out', () => {
  const prefill = prefillOf(preview, row, file, null)
  const forAll = { tags: ['Expo', 'Expo'], assigneeId: 'ann', followUpOn: '2026-12-01' }
  const first = withAll({ ...prefill, values: { ...prefill.values, tags: ['Farm'] } }, forAll, '2026-12-01')
  expect(first).toMatchObject({ followUpOn: '2026-12-01', values: { tags: ['Farm', 'Expo'], assigneeId: 'ann' } })
  expect(withAll(prefill, forAll, '2026-12-02')).not.toHaveProperty('followUpOn')
  expect(withAll(prefill, { ...forAll, followUpOn: 'soon' }, '2026-12-01')).not.toHaveProperty('followUpOn')
})
