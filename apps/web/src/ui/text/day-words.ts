/** Examples and errors of typed days and times. Separate from `day.ts`, which the first page loads. */
import { isMonthFirst, isTwelveHour } from './date-format.ts'
import { type Direction, dayFrom, FIRST_YEAR, writtenAsDay, writtenAsTime } from './day.ts'
import { workspaceLocale } from './locale.ts'

const NO_DAY = 'This date does not exist.'
const TOO_EARLY = `Enter a year of ${FIRST_YEAR} or later.`
/** Error for a day before today in a field of the future. */
export const PAST_DAY = 'This date is in the past. Choose today or later.'

/** Error for a date that is written as one and cannot be used, such as 2026-02-30 or 0026-11-21. */
function unusableDate(date: string): string {
  const year = Number(writtenAsDay.exec(date.trim())?.[1])
  return year < FIRST_YEAR ? TOO_EARLY : NO_DAY
}

/** Returns a form of typed dates in the order of the workspace's locale. */
const inOrder = (dayFirst: string, monthFirst: string): string =>
  isMonthFirst(workspaceLocale()) ? monthFirst : dayFirst
const dayExample = () => inOrder('21/11/2026', '11/21/2026')
const shortExample = () => inOrder('21 Nov', 'Nov 21')

/** The pattern of a date as people type it, for the placeholder of its field. */
export const dayPattern = (): string => inOrder('dd/mm/yyyy', 'mm/dd/yyyy')

const dayExamples: Record<Direction, () => string> = {
  past: () => `${dayExample()}, ${shortExample()} or yesterday`,
  future: () => `${dayExample()}, ${shortExample()}, tomorrow or friday`,
}

/** Error for text that is not a day: the expected format, or that the day does not exist. */
export function notADay(typed: string, direction: Direction = 'past'): string {
  return writtenAsDay.test(typed.trim()) ? unusableDate(typed) : `Enter a date, such as ${dayExamples[direction]()}.`
}

/** Error for the day of a field that accepts today and later days; null if there is none. */
export function problemOfComingDay(typed: string, today: string): string | null {
  const day = dayFrom(typed)
  if (day === null) return notADay(typed, 'future')
  return day < today ? PAST_DAY : null
}

const dateOf = (typed: string) => writtenAsTime.exec(typed.trim())?.[1] ?? ''
const isWrittenAsTime = (typed: string) => writtenAsDay.test(dateOf(typed))

/** Examples of a time in the locale of the workspace. */
export const timeExamples = (): string =>
  `${dayExample()} 14:30${isTwelveHour(workspaceLocale()) ? ` or ${shortExample()} 2:30 pm` : ''}`

/** Error for text that is not a time on a day. */
export function notATime(typed: string): string {
  if (!isWrittenAsTime(typed)) return `Enter a date and time, such as ${timeExamples()}.`
  return dayFrom(dateOf(typed)) === null
    ? unusableDate(dateOf(typed))
    : 'This time does not exist. A day ends at 23:59.'
}

/** Error for text that is neither a day nor a time on a day. */
export function notAWhen(typed: string): string {
  if (writtenAsDay.test(typed.trim())) return unusableDate(typed)
  return isWrittenAsTime(typed)
    ? notATime(typed)
    : `Enter a date, such as ${dayExample()}, or with a time: ${timeExamples()}.`
}
