import { formatNumber } from '../../ui/text/format.ts'
import { countMarks } from './row-marks.ts'

/** The state of the work on a file, such as "312 of 1,940 done, 41 known, 9 do not contact, 12 skipped". */
export function workWords(marks: string, rows: number): string {
  const { done, known, blocked, optOut, skipped } = countMarks(marks)
  const parts = [
    [known, 'known'],
    [blocked + optOut, 'do not contact'],
    [skipped, 'skipped'],
  ] as const
  return [
    `${formatNumber(done)} of ${formatNumber(rows)} done`,
    ...parts.flatMap(([count, words]) => (count === 0 ? [] : [`${formatNumber(count)} ${words}`])),
  ].join(', ')
}
