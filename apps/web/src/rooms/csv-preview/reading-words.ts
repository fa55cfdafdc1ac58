import type { CsvPreviewReading } from '@prospect/api-client'
import { formatNumber } from '../../ui/text/format.ts'

/** Share of the file that must be read before the remaining time is estimated. */
const TELLING_SHARE = 0.05

/** Progress of reading a file, as text. The remaining time appears once enough was read for an estimate. */
export function readingWords({ file, progress }: Pick<CsvPreviewReading, 'file' | 'progress'>): {
  share: number
  words: string
} {
  if (progress === null) return { share: 0, words: 'Waiting to be read' }
  const { bytesRead, bytesPerSecond } = progress
  const share = file.bytes === 0 ? 0 : Math.min(1, bytesRead / file.bytes)
  const words = [`${megabytes(bytesRead)} of ${megabytes(file.bytes)} MB read`]
  if (bytesPerSecond !== null && bytesPerSecond > 0 && share >= TELLING_SHARE) {
    words.push(`${megabytes(bytesPerSecond)} MB/s`, timeLeft((file.bytes - bytesRead) / bytesPerSecond))
  }
  return { share, words: words.join(' · ') }
}

function timeLeft(seconds: number): string {
  if (seconds < 5) return 'nearly done'
  if (seconds < 90) return `about ${Math.ceil(seconds / 5) * 5} seconds left`
  return `about ${Math.round(seconds / 60)} minutes left`
}

function megabytes(bytes: number): string {
  const value = bytes / 1_000_000
  return formatNumber(value < 10 ? value : Math.round(value))
}
