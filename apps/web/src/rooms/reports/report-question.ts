/**
 * Question of a report, as the form holds it and the address stores it, so that it can be shared. Texts stay as typed and are validated when they are
 * sent.
 */
import type { CreateReportData, ReportSummary } from '@prospect/api-client'
import { dayFrom, timeFrom } from '../../ui/text/day.ts'
import { notADay, notATime } from '../../ui/text/day-words.ts'
import { dayIn } from '../../ui/text/format.ts'
import { provinces } from '../../ui/text/provinces.ts'
import { isNamedByDays } from '../../ui/text/report-name.ts'
import { mondayOf } from '../../ui/text/typed-day.ts'
import { daysBefore, instantIn } from '../../ui/text/zone-time.ts'
import { type QuestionKey, questionKeys, type ReportQuestion, type ReportQuestionSearch } from './report-search.ts'

/** Search parameters of a question, without defaults and blank values. */
export function searchOf(question: ReportQuestion, tenantZone: string): ReportQuestionSearch {
  const keys = questionKeys.filter((key) => question[key] !== '' && !(key === 'zone' && question.zone === tenantZone))
  return Object.fromEntries(keys.map((key) => [key, question[key]]))
}

/** Question from an address; by default about this month. */
export function questionFrom(search: ReportQuestionSearch, tenantZone: string, now: string): ReportQuestion {
  const today = dayIn(now, search.zone ?? tenantZone)
  return {
    name: '',
    from: `${today.slice(0, 8)}01`,
    to: today,
    asOf: '',
    zone: tenantZone,
    province: '',
    assignee: '',
    tag: '',
    ...search,
  }
}

/** Question of an existing report, as of now. */
export function questionOf(report: ReportSummary): ReportQuestion {
  const { name, from, to, timeZone, filter } = report
  return {
    name: isNamedByDays(report) ? '' : name,
    from,
    to,
    asOf: '',
    zone: timeZone,
    province: filter.province ?? '',
    assignee: filter.assigneeId ?? '',
    tag: filter.tag ?? '',
  }
}

/** Common ranges, as days of the zone. A week begins on Monday. */
export function presetsFor(today: string): { label: string; from: string; to: string }[] {
  const day = new Date(`${today}T00:00:00Z`)
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  const at = (y: number, m: number, d: number): string => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10)
  const date = day.getUTCDate()
  const monday = mondayOf(today)
  return [
    { label: 'This week', from: monday, to: today },
    { label: 'Last week', from: daysBefore(monday, 7), to: daysBefore(monday, 1) },
    { label: 'This month', from: at(year, month, 1), to: today },
    { label: 'Last month', from: at(year, month - 1, 1), to: at(year, month, 0) },
    { label: 'Last 30 days', from: at(year, month, date - 29), to: today },
    { label: 'This year', from: at(year, 0, 1), to: today },
  ]
}

export type QuestionErrors = Partial<Record<QuestionKey, string>>

/** Validation without the server, by field. */
export function missingIn({ from, to, asOf }: ReportQuestion): QuestionErrors {
  const [first, last] = [dayFrom(from), dayFrom(to)]
  return {
    ...(first === null && { from: notADay(from) }),
    ...(last === null && { to: notADay(to) }),
    ...(first !== null && last !== null && last < first && { to: 'The last day is before the first.' }),
    ...(asOf.trim() !== '' && timeFrom(asOf) === null && { asOf: notATime(asOf) }),
  }
}

/** Request body of a valid question. */
export function bodyOf(question: ReportQuestion): CreateReportData['body'] {
  const { name, from, to, asOf, zone, province, assignee, tag } = question
  const wall = timeFrom(asOf)
  const known = provinces.find(({ code }) => code === province)
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    from: dayFrom(from) ?? from,
    to: dayFrom(to) ?? to,
    timeZone: zone,
    ...(wall !== null && { asOf: instantIn(wall, zone) }),
    filter: {
      ...(known !== undefined && { province: known.code }),
      ...(assignee !== '' && { assigneeId: assignee }),
      ...(tag.trim() !== '' && { tag: tag.trim() }),
    },
  }
}

const inputByPath: Record<string, QuestionKey> = {
  name: 'name',
  from: 'from',
  to: 'to',
  asOf: 'asOf',
  timeZone: 'zone',
  'filter.province': 'province',
  'filter.assigneeId': 'assignee',
  'filter.tag': 'tag',
}

/** Input that shows an error of the API, by the error's path. */
export const inputOf = (path: string): QuestionKey | undefined => inputByPath[path]
