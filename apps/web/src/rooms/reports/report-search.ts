/** What the address of a new report says, apart from what is made of it: every page reads addresses, few make reports. */
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
    if ((typeof value === 'string' || typeof value === 'number') && value !== '')
      result[key] = String(value).slice(0, maxLength)
  }
  return result
}
