import { expectStatus, expectThat, find, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'

/** Times in South Africa, and what the pinned calendar says about a call. */
const expected: readonly { at: string; what: string; status: string; nextAt: string | null }[] = [
  { at: '2026-11-30T08:00:00Z', what: 'a Monday morning', status: 'allowed', nextAt: null },
  { at: '2026-12-06T08:00:00Z', what: 'a Sunday', status: 'not_now', nextAt: '2026-12-07T06:00:00.000Z' },
  { at: '2026-12-05T11:30:00Z', what: 'a Saturday afternoon', status: 'not_now', nextAt: '2026-12-07T06:00:00.000Z' },
  { at: '2026-12-25T08:00:00Z', what: 'Christmas Day', status: 'not_now', nextAt: '2026-12-28T06:00:00.000Z' },
  { at: '2099-01-05T08:00:00Z', what: 'a year without a calendar', status: 'unknown', nextAt: null },
]

async function callsFollowTheCalendar(world: World): Promise<string> {
  for (const { at, what, status, nextAt } of expected) {
    const { body } = expectStatus(
      await world.operator.get(`/contact-hours?country=ZA&channel=phone&at=${at}`),
      200,
      `the hours of ${what}`,
    )
    expectThat(find(body, 'status') === status, `On ${what}, a call is ${textAt(body, 'status')}.`)
    if (status === 'not_now')
      expectThat(
        find(body, 'nextAt') === nextAt,
        `After ${what}, calls are allowed from ${String(find(body, 'nextAt'))}.`,
      )
  }
  const elsewhere = await world.operator.get('/contact-hours?country=NA&channel=phone')
  expectThat(find(elsewhere.body, 'status') === 'unknown', 'A country without a calendar is not unknown.')
  return `${expected.length} times as the calendar says; a year and a country without a calendar are unknown.`
}

export const gates: readonly Gate[] = [
  {
    phase: 12,
    checks: [
      {
        name: 'a call outside of contact hours is not allowed, and an unknown hour is never allowed',
        run: callsFollowTheCalendar,
      },
    ],
  },
]
