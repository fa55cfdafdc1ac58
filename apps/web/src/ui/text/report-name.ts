import { isDay } from './day.ts'
import { formatDays } from './format.ts'

type Named = { name: string; from: string; to: string }

/** True if a report has no own name: the API then names it by its days. */
export const isNamedByDays = ({ name, from, to }: Named) => name === `${from} to ${to}`

/** Name of a report on every screen. */
export function reportName({ name }: Pick<Named, 'name'>): string {
  const [from, to, ...more] = name.split(' to ')
  return from !== undefined && to !== undefined && more.length === 0 && isDay(from) && isDay(to)
    ? formatDays(from, to)
    : name
}
