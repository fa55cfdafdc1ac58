import { expect, test } from 'vitest'
import { buildTestApp } from '../../../test/build-app.ts'
import type { ContactHours } from './contact-hours.ts'

test('answers by country, channel and time, and for now by default', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const ask = async (query: string) => (await viewer.get<ContactHours>(`/contact-hours?${query}`)).body
  expect(await ask('country=ZA&channel=phone&at=2026-12-06T08:00:00Z')).toEqual({
    status: 'not_now',
    reason: 'Sunday',
    nextAt: '2026-12-07T06:00:00.000Z',
    calendarVersion: 'za-1',
  })
  expect(await ask('country=NA&channel=phone')).toMatchObject({ status: 'unknown', reason: 'no calendar for NA' })
  const at = t.clock().toISOString()
  expect(await ask('country=ZA&channel=email')).toEqual(await ask(`country=ZA&channel=email&at=${at}`))
})

test.each(['channel=phone', 'country=za&channel=phone', 'country=ZA&channel=fax', 'country=ZA&channel=phone&at=noon'])(
  'refuses %s',
  async (query) => {
    const viewer = await (await buildTestApp()).as('viewer')
    expect((await viewer.get(`/contact-hours?${query}`)).status).toBe(400)
  },
)
