/** What the address of a new report says, apart from what is made of it: every page reads addresses, few create reports. */
import { isZone } from '../../ui/text/date-format.ts'

export const questionKeys = ['name', 'from', 'to', 'asOf', 'zone', 'province', 'assignee', 'tag'] as const
export type QuestionKey = (typeof questionKeys)[number]
/** Blank: not said. `asOf` is a wall clock time in the zone; blank is now. */
export type ReportQuestion = Record<QuestionKey, string>
export type ReportQuestionSearch = Partial<ReportQuestion>

const maxLength = 200

export function parseReportQuestion(search: Record<string, unknown>): ReportQuestionSearch {
  const result: ReportQuestionSearch = {}
  for (const key of questionKeys) {
    const value = search[key]
    if (typeof value !== 'string') continue
    const text = value.slice(0, maxLength)
    // All but the zone is kept as it was typed, and judged when it is sent: in a zone that is none there is no day to show.
    if (text !== '' && (key !== 'zone' || isZone(text))) result[key] = text
  }
  return result
}
