import type { ActiveScoring, Business, ExplainedScore } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { ScoreTab } from './score-tab.tsx'

const business = { id: 'biz-1' } as Business
const reader = sessionOf({ permissions: ['businesses.read', 'scoring.read'] })

const scored: ExplainedScore = {
  status: 'scored',
  reason: null,
  low: 74,
  high: 91,
  priority: 'b',
  reachable: 'a',
  eligibility: 'eligible',
  completeness: 0.83,
  ruleSetId: 'set-1',
  version: 3,
  algorithmVersion: '1',
  runId: 'run-1',
  scoredAt: '2026-11-20T08:00:00.000Z',
  holdsUntil: null,
  gates: [],
  groups: [{ id: 'fit', name: 'Fit', min: 0, max: 40, low: 20, high: 37, rawLow: 20, rawHigh: 37, isLimited: false }],
  rules: [
    {
      id: 'industry',
      groupId: 'fit',
      words: 'The industry is plumbing',
      points: 20,
      state: 'current',
      stateReason: 'decided',
      stateWords: 'The evidence is current.',
      holds: true,
      low: 20,
      high: 20,
      restsOn: [{ evidenceId: 'e-1', source: 'Trade register', capturedAt: '2026-11-01T00:00:00.000Z', agrees: true }],
      goesStaleAt: null,
      wouldChange: null,
    },
    {
      id: 'vehicles',
      groupId: 'fit',
      words: 'It has at least five vehicles',
      points: 17,
      state: 'stale',
      stateReason: 'stale',
      stateWords: 'The newest supporting evidence is too old.',
      holds: null,
      low: 0,
      high: 17,
      restsOn: [],
      goesStaleAt: null,
      wouldChange: { low: 91, high: 91, priority: 'a', words: 'It has at least five vehicles: 74 → 91, priority A' },
    },
  ],
  next: null,
  differs: false,
}

const unscored: ExplainedScore = {
  ...scored,
  status: 'blocked',
  reason: 'do_not_contact',
  low: null,
  high: null,
  priority: null,
  reachable: null,
  eligibility: 'blocked',
  completeness: null,
  scoredAt: null,
  rules: [],
  groups: [],
  gates: [],
}

const active = {
  active: {
    ruleSet: { id: 'set-1', name: 'Trades' },
    version: 3,
    bands: [
      { id: 'a', name: 'A', from: 80 },
      { id: 'b', name: 'B', from: 60 },
    ],
  },
} as unknown as ActiveScoring

const noHistory = json({ items: [], page: { limit: 50, returned: 0, nextCursor: null, total: null } })

test('shows a range, its bands, its rules with evidence, and what would raise it', async () => {
  fakeApi({
    'GET /businesses/biz-1/score': json(scored),
    'GET /businesses/biz-1/score/history': noHistory,
    'GET /scoring/active': json(active),
  })
  const { getByRole, getByText } = await renderInApp(<ScoreTab business={business} />, { session: reader })
  await expect.element(getByRole('heading', { name: 'Score', exact: true })).toBeVisible()
  await expect.element(getByText('74 to 91 of 100')).toBeVisible()
  await expect.element(getByText('Priority B, possibly A')).toBeVisible()
  await expect.element(getByText('Trade register')).toBeVisible()
  await expect.element(getByText('Cannot tell yet. The newest supporting evidence is too old.')).toBeVisible()
  await expect.element(getByText('It has at least five vehicles: 74 → 91, priority A')).toBeVisible()
  await expect.element(getByText('No changes yet')).toBeVisible()
})

test('a do-not-contact prospect has no score, and the tab explains it', async () => {
  fakeApi({
    'GET /businesses/biz-1/score': json(unscored),
    'GET /businesses/biz-1/score/history': noHistory,
    'GET /scoring/active': json(active),
  })
  const { getByText } = await renderInApp(<ScoreTab business={business} />, { session: reader })
  await expect.element(getByText('This prospect is marked do not contact, so it has no score.')).toBeVisible()
})

test('a score that fails to load shows an error and can be retried', async () => {
  fakeApi({
    'GET /businesses/biz-1/score': [problem(400, 'invalid_request'), json(scored)],
    'GET /businesses/biz-1/score/history': noHistory,
    'GET /scoring/active': json(active),
  })
  const { getByRole, getByText } = await renderInApp(<ScoreTab business={business} />, { session: reader })
  await getByRole('button', { name: 'Try again' }).click()
  await expect.element(getByText('74 to 91 of 100')).toBeVisible()
})
