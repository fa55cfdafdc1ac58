/** Texts about an export: its content, its options and the state of its file. */
import type { Export, Locale } from '@prospect/api-client'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber, numberPartsIn } from '../../ui/text/format.ts'
import { reportName } from '../../ui/text/report-name.ts'

/** Name of the file's format. */
export function formatName({ format, spreadsheet }: Pick<Export, 'format' | 'spreadsheet'>): string {
  if (format === 'jsonl') return 'JSON lines'
  return spreadsheet === null ? 'CSV' : 'CSV for spreadsheets'
}

type Layout = Pick<NonNullable<Export['spreadsheet']>, 'separator' | 'decimal'>

/** Signs that spreadsheets of the workspace's country expect: where a comma is the decimal sign, lists are separated by semicolons. */
export function layoutOf(locale: Locale): Layout {
  const decimal = numberPartsIn(locale, 1.5).find(({ type }) => type === 'decimal')?.value
  return decimal === ',' ? { separator: 'semicolon', decimal: 'comma' } : { separator: 'comma', decimal: 'point' }
}

export const reportWords = ({ report }: Export): string =>
  `Figures of ${report === null ? 'a report' : reportName(report)}`

/** The events of an export of the audit. */
export function auditWords({ auditFilter }: Pick<Export, 'auditFilter'>): string {
  const isNarrowed = Object.values(auditFilter ?? {}).some((value) => value !== undefined)
  return isNarrowed ? 'Audit events that matched filters' : 'All audit events'
}

/** Words for what an export counts. */
export function countedOf({ source }: Pick<Export, 'source'>): [one: string, many: string] {
  if (source === 'audit') return ['event', 'events']
  return source === 'report' ? ['line', 'lines'] : ['prospect', 'prospects']
}

/** Content of the file, and how prospects marked do not contact were treated. */
export function holdingWords({ source, file }: Export): string {
  if (file === null) return ''
  const rows = countWords(file.rows, ...countedOf({ source }))
  if (file.leftOut > 0) return `${rows}; ${formatNumber(file.leftOut)} left out, marked do not contact`
  if (file.marked > 0)
    return `${rows}; ${formatNumber(file.marked)} of them marked do not contact, without their contact values`
  return rows
}

export function sizeWords(bytes: number): string {
  if (bytes < 1_000) return countWords(bytes, 'byte', 'bytes')
  return bytes < 1_000_000 ? `${formatNumber(bytes / 1_000)} kB` : `${formatNumber(bytes / 1_000_000)} MB`
}

export function removedWords({ file }: Export): string {
  switch (file?.removedBecause) {
    case 'replaced':
      return 'Replaced by newer exports.'
    case 'erasure':
      return 'A prospect was erased, so all files with prospects and audit events were deleted.'
    case 'missing':
      return 'The file was missing, for example after a restore.'
    default:
      return 'It expired after a day.'
  }
}
