import { describe, expect, test } from 'vitest'
import { desks } from '../sources.table.ts'
import type { Contract } from './contract.rules.ts'
import { contractItems } from './contract.rules.ts'
import { type Decision, type Present, sourceStateOf, type Version } from './status.rules.ts'

const contract: Contract = {
  terms: { ownerId: 'owner', reference: 'Agreement', reviewDueOn: '2027-06-01' },
  purposes: ['business_records'],
  scope: { fields: ['name'], provinces: [], maxRecords: 10 },
  rate: { perMinute: 30, perDay: 1_000 },
  concurrency: 2,
  timeoutMs: 5_000,
  maxBytes: 100_000,
  retry: { maxAttempts: 2 },
  rawRetention: 'days_180',
  health: { failureRatio: 0.2, latencyMs: 2_000 },
  circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
}
const version: Version = { contract, createdAt: '2026-11-01T00:00:00.000Z', author: 'author' }
const present: Present = {
  now: '2026-11-21T08:00:00.000Z',
  fingerprint: 'f1',
  adapter: 'loaded',
  mismatches: [],
  timeZone: 'UTC',
  isOwnerMember: true,
  ownerLeft: 0,
  restored: 0,
}

let sequence = 10
type Making = { kind: Decision['kind'] } & Record<string, unknown>
function made(decision: Making): Decision {
  sequence += 1
  return { id: `d${sequence}`, sequence, at: '2026-11-10T08:00:00.000Z', actor: 'somebody', ...decision } as Decision
}
const approval = (desk: string, change: Record<string, unknown> = {}) =>
  made({ kind: 'approval', desk, fingerprint: 'f1', endsAt: '2027-05-01T00:00:00.000Z', ...change })
const enablement = (change: Record<string, unknown> = {}) =>
  made({ kind: 'enablement', fingerprint: 'f1', endsAt: '2027-01-01T00:00:00.000Z', ...change })
const approvals = () => desks.map((desk) => approval(desk))
const enabled = () => [...approvals(), enablement()]

const statusOf = (decisions: readonly Decision[], now: Partial<Present> = {}, of: Version = version) =>
  sourceStateOf(of, decisions, { ...present, ...now }).status

test('a source is enabled by three approvals and an enablement, until the enablement ends', () => {
  const state = sourceStateOf(version, enabled(), present)
  expect(state).toEqual({
    status: 'enabled',
    openItems: [],
    enabledUntil: '2027-01-01T00:00:00.000Z',
    unrecorded: [],
  })
})

test('the first status that matches applies', () => {
  expect(statusOf([])).toBe('awaiting_approval')
  expect(statusOf(approvals())).toBe('approved')
  expect(statusOf([...approvals(), made({ kind: 'rejection', desk: 'legal' })])).toBe('rejected')
  expect(statusOf([...enabled(), made({ kind: 'withdrawal' })])).toBe('withdrawn')
  expect(statusOf([...enabled(), made({ kind: 'disablement' })])).toBe('approved')
})

describe('what is missing or expired, one at a time, disables the source', () => {
  test.for(contractItems.map((item) => [item] as const))('%s of the contract', ([item], { expect }) => {
    const { [item]: _left, ...rest } = contract
    const state = sourceStateOf({ ...version, contract: rest }, enabled(), present)
    expect(state.status).toBe('incomplete')
    expect(state.openItems).toContainEqual({
      item,
      problem: 'missing',
      responsible: 'author',
      detail: null,
      since: version.createdAt,
    })
  })

  const lapses: [name: string, decisions: () => Decision[], now: Partial<Present>, open: [string, string]][] = [
    ['the review of the terms', enabled, { now: '2027-06-02T00:00:00.000Z' }, ['terms', 'expired']],
    ['the terms owner', enabled, { isOwnerMember: false }, ['terms_owner', 'missing']],
    ['the adapter', enabled, { adapter: 'not_loaded' }, ['adapter', 'not_loaded']],
    ['the version of the adapter', enabled, { adapter: 'changed' }, ['adapter', 'changed']],
    ['ADAPTERS_FILE', enabled, { fingerprint: 'f2' }, ['approval.product', 'changed']],
    ...desks.map((desk): (typeof lapses)[number] => [
      `the ${desk} approval`,
      () => [
        ...desks.filter((one) => one !== desk).map((one) => approval(one)),
        approval(desk, { endsAt: present.now }),
        enablement(),
      ],
      {},
      [`approval.${desk}`, 'expired'],
    ]),
    ...desks.map((desk): (typeof lapses)[number] => [
      `the ${desk} approval, revoked`,
      () => {
        const all = enabled()
        const revoked = all.find((one) => one.kind === 'approval' && one.desk === desk)
        return [...all, made({ kind: 'revocation', revokesId: revoked?.id })]
      },
      {},
      [`approval.${desk}`, 'revoked'],
    ]),
    ['the enablement', () => [...approvals(), enablement({ endsAt: present.now })], {}, ['enablement', 'expired']],
    [
      'the enablement, revoked',
      () => {
        const all = enabled()
        return [...all, made({ kind: 'revocation', revokesId: all.at(-1)?.id })]
      },
      {},
      ['enablement', 'revoked'],
    ],
    ['the store, restored', enabled, { restored: 9_999 }, ['enablement', 'restored']],
  ]

  test.for(lapses)('%s', ([, decisions, now, [item, problem]], { expect }) => {
    const state = sourceStateOf(version, decisions(), { ...present, ...now })
    expect(state.status).toBe('lapsed')
    expect(state.openItems).toContainEqual(expect.objectContaining({ item, problem }))
    expect(state.unrecorded).toContainEqual(expect.objectContaining({ item, problem }))
  })

  test.for(desks.map((desk) => [desk] as const))(
    'an approval of the %s desk that was never given',
    ([desk], { expect }) => {
      const decisions = [...desks.filter((one) => one !== desk).map((one) => approval(one)), enablement()]
      expect(statusOf(decisions)).toBe('awaiting_approval')
    },
  )

  test.each(['purposes', 'scope', 'settings'] as const)('%s that the adapter does not accept', (item) => {
    const mismatches = [{ item, path: item, code: 'not_accepted', message: 'Not this one.' }]
    const whole = { ...version, contract: { ...contract, settings: {} } }
    const state = sourceStateOf(whole, enabled(), { ...present, mismatches })
    expect(state.status).toBe('incomplete')
    expect(state.openItems).toMatchObject([
      { item, problem: 'not_accepted', responsible: 'author', detail: expect.stringContaining('Not this one.') },
    ])
  })

  test('settings that are absent although the adapter needs some', () => {
    const mismatches = [{ item: 'settings', path: 'settings.region', code: 'invalid_type', message: 'x' } as const]
    const state = sourceStateOf(version, enabled(), { ...present, mismatches })
    expect(state.openItems).toMatchObject([{ item: 'settings', problem: 'missing', detail: null }])
  })
})

/** Returns the decision that records the items which are no longer valid (a lapse), as `recordLapses` inserts it. */
function recordedLapse(decisions: readonly Decision[], now: Partial<Present>): Decision {
  const { unrecorded } = sourceStateOf(version, decisions, { ...present, ...now })
  return made({ kind: 'lapse', items: unrecorded })
}

test('when the cause of a lapse is gone the source is approved, and a person must enable it again', () => {
  for (const now of [{ isOwnerMember: false }, { adapter: 'not_loaded' as const }, { fingerprint: 'f2' }]) {
    const before = enabled()
    const decisions = [...before, recordedLapse(before, now)]
    expect([now, statusOf(decisions)]).toEqual([now, 'approved'])
    expect([now, statusOf([...decisions, enablement()])]).toEqual([now, 'enabled'])
  }
})

test('an owner who left and is back has ended the enablement, whether or not the lapse was recorded', () => {
  const decisions = enabled()
  const now = { ownerLeft: sequence + 1 }
  expect(statusOf(decisions, now)).toBe('approved')
  const lapse = recordedLapse(decisions, now)
  expect(lapse).toMatchObject({ items: [{ item: 'terms_owner', problem: 'missing' }] })
  expect(statusOf([...decisions, lapse], now)).toBe('approved')
})

test('what a lapse recorded as expired stays expired when the clock is set back', () => {
  const decisions = [...desks.map((desk) => approval(desk, { endsAt: '2026-12-01T00:00:00.000Z' })), enablement()]
  const later = { now: '2026-12-02T00:00:00.000Z' }
  expect(statusOf(decisions)).toBe('enabled')
  const recorded = [...decisions, recordedLapse(decisions, later)]
  expect(statusOf(recorded)).toBe('lapsed')
  const terms = enabled()
  expect(statusOf([...terms, recordedLapse(terms, { now: '2027-07-01T00:00:00.000Z' })])).toBe('lapsed')
  const ended = enabled()
  expect(statusOf([...ended, recordedLapse(ended, { now: '2027-02-01T00:00:00.000Z' })])).toBe('lapsed')
})

test.each([
  ['America/Los_Angeles', '2027-06-02T07:00:00.000Z'],
  ['Africa/Johannesburg', '2027-06-01T22:00:00.000Z'],
  ['Pacific/Kiritimati', '2027-06-01T10:00:00.000Z'],
])('in %s the review of the terms is due until the end of its day', (timeZone, end) => {
  const before = new Date(Date.parse(end) - 1).toISOString()
  const decisions = [
    ...desks.map((desk) => approval(desk, { endsAt: '2027-09-01T00:00:00.000Z' })),
    enablement({ endsAt: '2027-09-01T00:00:00.000Z' }),
  ]
  expect(statusOf(decisions, { timeZone, now: before })).toBe('enabled')
  expect(statusOf(decisions, { timeZone, now: end })).toBe('lapsed')
})

test('a lapse is recorded once', () => {
  const decisions = enabled()
  const now = { isOwnerMember: false }
  const recorded = [...decisions, recordedLapse(decisions, now)]
  expect(sourceStateOf(version, recorded, { ...present, ...now }).unrecorded).toEqual([])
  const again = [...recorded, enablement()]
  expect(sourceStateOf(version, again, { ...present, ...now }).unrecorded).toHaveLength(1)
})

test('approvals that are given again for another fingerprint count, and the enablement does not', () => {
  const decisions = [...enabled(), ...desks.map((desk) => approval(desk, { fingerprint: 'f2' }))]
  expect(statusOf(decisions, { fingerprint: 'f2' })).toBe('approved')
})

test('an expired enablement is over in the very second in which it ends', () => {
  const decisions = [...approvals(), enablement({ endsAt: '2026-12-01T00:00:00.000Z' })]
  expect(statusOf(decisions, { now: '2026-11-30T23:59:59.999Z' })).toBe('enabled')
  expect(statusOf(decisions, { now: '2026-12-01T00:00:00.000Z' })).toBe('lapsed')
})
