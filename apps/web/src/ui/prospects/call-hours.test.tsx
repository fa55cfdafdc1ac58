import type { ContactHours } from '@prospect/api-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { noteServerDate } from '../api/server-clock.ts'
import { CallHours, CallOrder } from './call-hours.tsx'

const asking = 'GET /contact-hours'
const answer = (more: Partial<ContactHours>) =>
  json({ status: 'not_now', reason: 'Sunday', nextAt: null, calendarVersion: 'za-1', ...more })

// Sunday, 29 November 2026.
beforeEach(() => noteServerDate('2026-11-29T09:00:00Z', 0))
afterEach(() => noteServerDate(new Date().toISOString(), 0))

test.each([
  [{ status: 'allowed' } as const, 'May be called now'],
  [{ nextAt: '2026-11-30T06:00:00.000Z' }, 'Not now: Sunday. From Monday 08:00'],
  [{ reason: 'before 14:00', nextAt: '2026-11-29T12:00:00.000Z' }, 'Not now: before 14:00. From today 14:00'],
  [{ reason: 'after 20:00' }, 'Not now: after 20:00'],
  [{ status: 'unknown', reason: 'no calendar for NA', calendarVersion: null } as const, 'Unknown: no calendar for NA'],
])('the answer %j is shown as %s', async (more, words) => {
  const { sentTo } = fakeApi({ [asking]: answer(more) })
  await renderInApp(<CallHours country="NA" />)
  await expect.element(page.getByText(words, { exact: true })).toBeVisible()
  expect(sentTo(asking)).toHaveLength(1)
})

test('a number without a country is unknown, and nothing is asked', async () => {
  const { sentTo } = fakeApi({ [asking]: answer({ status: 'allowed' }) })
  await renderInApp(<CallHours country={null} />)
  await expect.element(page.getByText('Unknown: the country of the number is not known')).toBeVisible()
  expect(sentTo(asking)).toHaveLength(0)
})

test('the sentence above the order of calls says who is first and when', async () => {
  fakeApi({ [asking]: answer({ nextAt: '2026-11-30T06:00:00.000Z' }) })
  await renderInApp(<CallOrder />)
  await expect
    .element(page.getByText(/^Prospects that may be called now are first/))
    .toHaveTextContent(
      'Prospects that may be called now are first, in the order of priority and follow-up. Numbers of South Africa: Not now: Sunday. From Monday 08:00.',
    )
})
