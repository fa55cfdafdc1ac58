/**
 * What became of each row of a file, stored in this browser per person and tenant, by the hash of the file. No content of the file is stored: a mark
 * is one character per row.
 */
import { useSession } from '../../ui/api/session.ts'
import { storedNow, useStored } from '../../ui/forms/use-stored.ts'

/** `optOut`: the file says do not contact. `blocked`: the row is do not contact for another reason. */
export type RowMark = 'done' | 'known' | 'blocked' | 'optOut' | 'skipped'

const signs: Record<RowMark, string> = { done: 'd', known: 'k', blocked: 'b', optOut: 'o', skipped: 's' }
const marksBySign = new Map(Object.entries(signs).map(([mark, sign]) => [sign, mark as RowMark]))
const OPEN = '-'

/** Maximum numbers of files and of rows of a file whose marks are stored; the files used last are kept. */
const MOST_FILES = 5
const MOST_ROWS = 100_000

/**
 * `row`: the row that was open last. `tags`, `assigneeId` and `followUpOn` are those of new prospects; without `assigneeId` it is the person.
 * `isOriginLater`: the person chose to answer the questions about the file later.
 */
export type FileWork = {
  sha256: string
  marks: string
  row: number
  tags: string[]
  assigneeId?: string | null
  followUpOn?: string
  isOriginLater?: boolean
}

export const markAt = (marks: string, row: number): RowMark | null => marksBySign.get(marks[row - 1] ?? OPEN) ?? null

/** Sets or clears the mark of a row. */
export function withMark(marks: string, row: number, mark: RowMark | null): string {
  if (row < 1 || row > MOST_ROWS) return marks
  const padded = marks.padEnd(row, OPEN)
  return padded.slice(0, row - 1) + (mark === null ? OPEN : signs[mark]) + padded.slice(row)
}

export function countMarks(marks: string): Record<RowMark, number> {
  const counts = { done: 0, known: 0, blocked: 0, optOut: 0, skipped: 0 }
  for (const sign of marks) {
    const mark = marksBySign.get(sign)
    if (mark !== undefined) counts[mark] += 1
  }
  return counts
}

/** Returns the first row after this one without a mark, or null if no row of the file is left. */
export function nextUnmarked(marks: string, after: number, rows: number): number | null {
  for (let row = after + 1; row <= rows; row++) if (markAt(marks, row) === null) return row
  return null
}

/** Returns the rows with this mark. */
export function rowsMarked(marks: string, mark: RowMark): number[] {
  return [...marks].flatMap((sign, place) => (sign === signs[mark] ? [place + 1] : []))
}

const emptyWork = (sha256: string): FileWork => ({ sha256, marks: '', row: 0, tags: [] })

/** Puts the work on a file first. */
export const withWork = (all: readonly FileWork[], work: FileWork): FileWork[] =>
  [work, ...all.filter(({ sha256 }) => sha256 !== work.sha256)].slice(0, MOST_FILES)

/** The person's work on a file. `change` starts from what is stored now, because another tab may have changed it. */
export function useFileWork(sha256: string): [FileWork, (change: (work: FileWork) => FileWork) => FileWork] {
  const { user, tenant } = useSession()
  const key = `prospect-csv-rows:${user.id}:${tenant.id}`
  const [all, store] = useStored(key, parseWorks)
  const ofFile = (works: readonly FileWork[]) => works.find((one) => one.sha256 === sha256) ?? emptyWork(sha256)
  const change = (changed: (work: FileWork) => FileWork) => {
    const now = storedNow(key, parseWorks)
    const next = changed(ofFile(now))
    store(withWork(now, next))
    return next
  }
  return [ofFile(all), change]
}

function parseWorks(kept: unknown): FileWork[] {
  return Array.isArray(kept) ? kept.filter(isWork) : []
}

function isWork(value: unknown): value is FileWork {
  if (typeof value !== 'object' || value === null) return false
  const { sha256, marks, row, tags, assigneeId, followUpOn, isOriginLater } = value as Record<string, unknown>
  const isPerson = assigneeId === undefined || assigneeId === null || typeof assigneeId === 'string'
  const areTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')
  const isDay = followUpOn === undefined || typeof followUpOn === 'string'
  const isLater = isOriginLater === undefined || typeof isOriginLater === 'boolean'
  const isWhole = typeof sha256 === 'string' && typeof marks === 'string' && typeof row === 'number'
  return isWhole && areTags && isPerson && isDay && isLater
}
