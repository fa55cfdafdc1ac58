import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dayAt, endOfDay, startOfDay } from './calendar.ts'

test.each(['America/Los_Angeles', 'Africa/Johannesburg', 'Pacific/Kiritimati', 'UTC'])(
  'a day in %s begins at its start and ends where the next day begins',
  (zone) => {
    const day = Temporal.PlainDate.from('2026-11-28')
    expect(dayAt(startOfDay(day, zone), zone).toString()).toBe('2026-11-28')
    expect(dayAt(endOfDay(day, zone), zone).toString()).toBe('2026-11-29')
    expect(endOfDay(day, zone)).toBe(startOfDay(day.add({ days: 1 }), zone))
  },
)

test('no other module converts between instants and calendar days of a zone', () => {
  const folder = new URL('..', import.meta.url)
  const others = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.startsWith('lib/calendar') && !file.endsWith('.test.ts'),
  )
  const converts = /toZonedDateTimeISO\(timeZone\)|startOfDay\([^;]*\.add\(\{ days: 1 \}\)|function endOfDay/
  expect(others.filter((file) => converts.test(readFileSync(new URL(file, folder), 'utf8')))).toEqual([])
})
