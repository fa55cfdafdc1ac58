import type { Export } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { auditWords, formatName, holdingWords, layoutOf, reportWords, sizeWords } from './export-words.ts'

const file = { name: 'a', rows: 1_200, leftOut: 0, marked: 0, bytes: 1, sha256: '', writtenAt: '', expiresAt: '' }
const made = (more: Partial<NonNullable<Export['file']>>): Export => ({
  id: '1',
  jobId: '2',
  source: 'prospects',
  report: null,
  filter: [],
  auditFilter: null,
  erasedFields: [],
  format: 'csv',
  suppressed: 'leave_out',
  spreadsheet: null,
  status: 'ready',
  file: { ...file, removedAt: null, removedBecause: null, ...more },
  createdAt: '',
  createdBy: { kind: 'system', name: 'x' },
})

test('the exclusion of do-not-contact prospects is stated with its number', () => {
  expect(holdingWords(made({}))).toBe('1\u00a0200 prospects')
  expect(holdingWords(made({ rows: 1, leftOut: 2 }))).toBe('1 prospect; 2 left out, marked do not contact')
  expect(holdingWords(made({ marked: 3 }))).toContain('3 of them marked do not contact, without their contact values')
})

test('an export of the audit says whether it was filtered, and counts events', () => {
  const of = (auditFilter: Export['auditFilter']) => auditWords({ auditFilter })
  expect(of({})).toBe('All audit events')
  expect(of({ action: 'note.add' })).toBe('Audit events that matched filters')
  expect(holdingWords({ ...made({ rows: 1 }), source: 'audit' })).toBe('1 event')
})

test('a report without an own name is shown by its days', () => {
  const of = (name: string) => reportWords({ ...made({}), source: 'report', report: { id: '1', name } })
  expect(of('2026-11-01 to 2026-11-30')).toBe('Figures of 01 Nov 2026 to 30 Nov 2026')
  expect(of('From farm to table')).toBe('Figures of From farm to table')
})

test('formats sizes', () => {
  expect([999, 1_500, 2_500_000].map(sizeWords)).toEqual(['999 bytes', '1,5 kB', '2,5 MB'])
})

test('a spreadsheet of a country with decimal commas gets semicolons', () => {
  expect(layoutOf('en-ZA')).toEqual({ separator: 'semicolon', decimal: 'comma' })
  expect(layoutOf('en-US')).toEqual({ separator: 'comma', decimal: 'point' })
  const layout = { ...layoutOf('en-ZA'), timeZone: 'UTC' }
  expect([formatName(made({})), formatName({ ...made({}), spreadsheet: layout })]).toEqual([
    'CSV',
    'CSV for spreadsheets',
  ])
})
