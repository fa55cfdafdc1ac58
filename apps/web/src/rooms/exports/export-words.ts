/** Texts about an export: its content, its options and the state of its file. */
import type { Export } from '@prospect/api-client'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { reportName } from '../../ui/text/report-name.ts'

const formatNames: Record<Export['format'], string> = { csv: 'CSV', jsonl: 'JSON lines' }
export const formatName = (format: Export['format']) => formatNames[format]

export const reportWords = ({ report }: Export): string =>
  `Figures of ${report === null ? 'a report' : reportName(report)}`

/** Content of the file, and how prospects marked do not contact were treated. */
export function holdingWords({ source, file }: Export): string {
  if (file === null) return ''
  if (source === 'report') return countWords(file.rows, 'line', 'lines')
  const rows = countWords(file.rows, 'prospect', 'prospects')
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
      return 'A prospect was erased, so all files with prospects were deleted.'
    case 'missing':
      return 'The file was missing, for example after a restore.'
    default:
      return 'It expired after a day.'
  }
}
