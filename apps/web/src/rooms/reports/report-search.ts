/** Search parameters of a new report. In a module without further imports, because the router loads it on every page. */
import { isZone } from '../../ui/text/date-format.ts'

export const questionKeys = ['name', 'from', 'to', 'asOf', 'zone', 'province', 'assignee', 'tag'] as const
export type QuestionKey = (typeof questionKeys)[number]
/** Blank values are unset. `asOf` is a local time in the zone; blank means now. */
export type ReportQuestion = Record<QuestionKey, string>
export type ReportQuestionSearch = Partial<ReportQuestion>

const maxLength = 200

export function parseReportQuestion(search: Record<string, unknown>): ReportQuestionSearch {
  const result: ReportQuestionSearch = {}
  for (const key of questionKeys) {
    const value = search[key]
    if (typeof value !== 'string') continue
    const text = value.slice(0, maxLength)
    // Values stay as typed and are validated on submit. Only an unknown time zone is dropped, because days could not be shown in it.
    if (text !== '' && (key !== 'zone' || isZone(text))) result[key] = text
  }
  return result
}
