import { dayAt } from '../../lib/calendar.ts'
import type { SampleDesk } from '../sample-desk.ts'
import { createReportSchema } from './reports.schema.ts'
import { requestReport } from './reports.ts'

/** Requests two reports; the API computes them when it runs. */
export async function sampleReports({ people, now, timeZone, as }: SampleDesk): Promise<void> {
  const today = dayAt(now.toISOString(), timeZone)
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const month = today.with({ day: 1 })
  const intervals = [
    { name: 'Last week', from: monday.subtract({ weeks: 1 }), to: monday.subtract({ days: 1 }) },
    { name: 'Last month', from: month.subtract({ months: 1 }), to: month.subtract({ days: 1 }) },
  ]
  for (const { name, from, to } of intervals) {
    const input = createReportSchema.parse({ name, from: from.toString(), to: to.toString() })
    await as(people.manager, 'report.request', (tx) => requestReport(tx, input))
  }
}
