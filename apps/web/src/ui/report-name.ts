import { formatDays } from './format.ts'

type Named = { name: string; from: string; to: string }

/** A report that nobody gave a name has that of its days, as the API writes them. */
export const isNamedByDays = ({ name, from, to }: Named) => name === `${from} to ${to}`

/** What a report is called, on every screen. */
export const reportName = (report: Named) => (isNamedByDays(report) ? formatDays(report.from, report.to) : report.name)
