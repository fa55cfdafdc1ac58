import { isDay } from './day.ts'
import { formatDays } from './format.ts'

type Named = { name: string; from: string; to: string }

/** A report that nobody gave a name has that of its days, as the API writes them. */
export const isNamedByDays = ({ name, from, to }: Named) => name === `${from} to ${to}`

/** What a report is called, on every screen. */
export function reportName({ name }: Pick<Named, 'name'>): string {
  const [from, to, ...more] = name.split(' to ')
  return from !== undefined && to !== undefined && more.length === 0 && isDay(from) && isDay(to)
    ? formatDays(from, to)
    : name
}
