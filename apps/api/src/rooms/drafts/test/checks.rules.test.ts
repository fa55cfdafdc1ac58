import { expect, test } from 'vitest'
import type { FactField } from '../../businesses/businesses.ts'
import {
  type CheckInput,
  type CheckKey,
  type Claim,
  checkDraft,
  checkKeys,
  type SeenEvidence,
  type SeenSuggestion,
} from '../checks/checks.rules.ts'
import type { DraftContent } from '../content/content.rules.ts'
import type { PolicyInForce } from '../policies/policies.queries.ts'

/* Each check, with each of its results: pass, fail, unknown and not applicable. */

const NOW = '2026-11-21T08:00:00.000Z'

const cited: SeenEvidence = {
  id: 'e1',
  field: 'industry',
  value: 'Pumps',
  texts: ['Pumps', 'They repair windpumps.', null],
  confidence: 'high',
  seenAt: '2026-11-01T00:00:00.000Z',
  hash: 'h1',
  isSuperseded: false,
}
const content: DraftContent = {
  jurisdiction: 'za',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  recipient: { kind: 'email', value: 'info@karoo.example', normalized: 'info@karoo.example' },
  subject: 'Pumps',
  text: 'Dear {{business.name}}, you repair pumps [^1]. {{sender.name}}',
  citations: [{ marker: 1, evidenceId: 'e1', evidenceHash: 'h1', quote: 'repair windpumps' }],
  noCitationReason: null,
  acknowledgements: [],
}
const policy: PolicyInForce = {
  id: 'p1',
  name: 'za/email/1',
  jurisdiction: 'za',
  channel: 'email',
  endsAt: '2027-01-01T00:00:00.000Z',
  legalBases: ['consent'],
  requiredFields: ['sender.name'],
  freshnessDays: { other: 90, name: 30 },
  acknowledgeable: ['low_confidence'],
  contactHours: 'warn',
  registryDays: 30,
  basisForm: 'known',
  sources: [],
  reviewBy: null,
  caps: { recipient: 2, person: 50, tenant: 200 },
  optOutText: null,
}
const name = { id: 'n1', value: 'Karoo', confidence: 'high', seenAt: '2026-11-10T00:00:00.000Z' } as const
const consent = {
  id: 'b1',
  kind: 'consent',
  form: 'written',
  channels: ['email'],
  purpose: 'introduction',
  jurisdiction: 'za',
  recipient: null,
  from: '2026-01-01T00:00:00.000Z',
  until: '2027-01-01T00:00:00.000Z',
  isWithdrawn: false,
  objectedAt: null,
} as const
const suggestion: SeenSuggestion = { id: 's1', state: 'approved', provider: 'p', policy: '1' }
const registry = {
  kind: 'email',
  cleanedAt: '2026-11-03T10:00:00.000Z',
  dueAt: '2026-12-02T10:00:00.000Z',
  isDue: false,
  isChecked: true,
} as const
const cap = { used: 0, most: 2, freeAt: null }
const passing: CheckInput = {
  now: NOW,
  business: { status: 'active', isBlocked: false },
  content,
  isOnRecord: true,
  values: {
    'business.name': 'Karoo',
    'business.tradingName': null,
    'business.industry': null,
    'business.domain': null,
    'business.street': null,
    'business.suburb': null,
    'business.city': null,
    'business.province': null,
    'person.firstName': null,
    'person.name': null,
    'sender.name': 'Nomsa',
    'sender.workspace': 'Home',
    'sender.optOut': null,
  },
  evidence: new Map([['e1', cited]]),
  claims: new Map([
    ['name', [name]],
    ['industry', [cited]],
  ]),
  policy,
  bases: [consent],
  boundBasis: null,
  suggestion: null,
  gate: { recipient: false, text: null },
  registry,
  caps: { recipient: cap, person: cap, tenant: cap, isEveryoneAtMost: false, hasAskedConsent: false },
  approval: 'standing',
}

const resultOf = (input: CheckInput, key: CheckKey) => checkDraft(input).find((check) => check.key === key)
const withContent = (more: Partial<DraftContent>): Partial<CheckInput> => ({ content: { ...content, ...more } })
const withEvidence = (more: Partial<SeenEvidence>): Partial<CheckInput> => ({
  evidence: new Map([['e1', { ...cited, ...more }]]),
})
const withNames = (...claims: Partial<Claim>[]): Partial<CheckInput> => ({
  claims: new Map<FactField, Claim[]>([
    ['industry', [cited]],
    ['name', claims.map((one, at) => ({ ...name, id: `n${at}`, ...one }))],
  ]),
})
const withBasis = (more: object): Partial<CheckInput> => ({ bases: [{ ...consent, ...more }] })
const withRound = (more: Partial<NonNullable<CheckInput['registry']>>): Partial<CheckInput> => ({
  registry: { ...registry, ...more },
})
const withPolicy = (more: Partial<PolicyInForce>): Partial<CheckInput> => ({ policy: { ...policy, ...more } })

test('a draft with nothing wrong passes every check that applies', () => {
  const checks = checkDraft(passing)
  expect(checks.map(({ key }) => key)).toEqual(checkKeys)
  expect(checks.filter(({ result }) => result !== 'pass').map(({ key, result }) => [key, result])).toEqual([
    ['ai_origin', 'not_applicable'],
  ])
})

const low = { confidence: 'low' } as const
const acknowledged = withContent({ acknowledgements: [{ evidenceId: 'e1', reason: 'Seen.' }] })
const noEvidence = withContent({ text: 'Hello. {{sender.name}}', citations: [] })

const cases: [key: CheckKey, words: string, more: Partial<CheckInput>, result: string][] = [
  ['scope', 'a merged prospect', { business: { status: 'merged', isBlocked: false } }, 'fail'],
  ['scope', 'an inactive prospect', { business: { status: 'inactive', isBlocked: false } }, 'fail'],
  ['recipient', 'a value that left the record', { isOnRecord: false }, 'fail'],
  [
    'recipient',
    'a phone for an email',
    withContent({ recipient: { kind: 'phone', value: '+27825550199', normalized: '+27825550199' } }),
    'fail',
  ],
  ['suppression', 'a blocked prospect', { business: { status: 'active', isBlocked: true } }, 'fail'],
  ['suppression', 'a suppressed recipient', { gate: { recipient: true, text: null } }, 'fail'],
  [
    'suppression',
    'a suppressed value in the text',
    { gate: { recipient: false, text: { part: 'text', line: 2 } } },
    'fail',
  ],
  ['registry', 'no closed round', withRound({ cleanedAt: null, dueAt: null, isDue: true, isChecked: false }), 'fail'],
  ['registry', 'a round that is too old', withRound({ isDue: true }), 'fail'],
  ['registry', 'a prospect that was added since', withRound({ isChecked: false }), 'fail'],
  ['registry', 'a policy that requires no round', withPolicy({ registryDays: null }), 'not_applicable'],
  ['registry', 'a letter', { ...withContent({ channel: 'letter' }), registry: null }, 'not_applicable'],
  ['registry', 'a round that was not read', { registry: null }, 'unknown'],
  ['registry', 'no policy', { policy: null }, 'unknown'],
  ['legal_basis', 'no basis', { bases: [] }, 'fail'],
  ['legal_basis', 'a withdrawn basis', withBasis({ isWithdrawn: true }), 'fail'],
  ['legal_basis', 'an expired basis', withBasis({ until: NOW }), 'fail'],
  ['legal_basis', 'a basis that begins later', withBasis({ from: '2026-12-01T00:00:00.000Z' }), 'fail'],
  ['legal_basis', 'another channel', withBasis({ channels: ['sms'] }), 'fail'],
  ['legal_basis', 'another purpose', withBasis({ purpose: 'answer' }), 'fail'],
  ['legal_basis', 'another jurisdiction', withBasis({ jurisdiction: 'eu' }), 'fail'],
  ['legal_basis', 'another recipient', withBasis({ recipient: { kind: 'email', normalized: 'x@y.example' } }), 'fail'],
  [
    'legal_basis',
    'this recipient',
    withBasis({ recipient: { kind: 'email', normalized: 'info@karoo.example' } }),
    'pass',
  ],
  ['legal_basis', 'a kind that the policy does not accept', withBasis({ kind: 'legitimate_interest' }), 'fail'],
  ['legal_basis', 'a basis that an objection ended', withBasis({ objectedAt: '2026-11-02T00:00:00.000Z' }), 'fail'],
  ['legal_basis', 'a basis of unknown form', withBasis({ form: 'unknown' }), 'fail'],
  ['legal_basis', 'a basis whose kind has no form', withBasis({ form: 'none' }), 'pass'],
  [
    'legal_basis',
    'a basis of unknown form, for a policy from before forms were recorded',
    { ...withBasis({ form: 'unknown' }), ...withPolicy({ basisForm: 'any' }) },
    'pass',
  ],
  ['legal_basis', 'no policy', { policy: null }, 'unknown'],
  ['policy', 'sources that are due for review', withPolicy({ reviewBy: '2026-01-01' }), 'pass'],
  ['policy', 'no policy', { policy: null }, 'fail'],
  ['policy', 'an expired policy', withPolicy({ endsAt: NOW }), 'fail'],
  ['merge_fields', 'an unknown field', withContent({ text: '{{business.nmae}}' }), 'fail'],
  ['merge_fields', 'an empty field', withContent({ text: '{{business.city}}' }), 'fail'],
  ['merge_fields', 'an empty field with a fallback', withContent({ text: '{{business.city|your town}}' }), 'pass'],
  ['merge_fields', 'no field', withContent({ text: 'Hello.' }), 'not_applicable'],
  ['citations', 'a marker without a citation', withContent({ text: 'Pumps [^2]' }), 'fail'],
  ['citations', 'a citation without a marker', withContent({ text: 'Pumps' }), 'fail'],
  ['citations', 'an observation of another prospect', { evidence: new Map() }, 'fail'],
  ['citations', 'an inexact quote', withEvidence({ texts: ['They repair wind pumps.'] }), 'fail'],
  ['citations', 'a shown value without evidence', withNames(), 'unknown'],
  ['citations', 'no citation', noEvidence, 'fail'],
  [
    'citations',
    'no citation, with a reason',
    withContent({ text: 'Hello. {{sender.name}}', citations: [], noCitationReason: 'A greeting.' }),
    'pass',
  ],
  ['evidence', 'another hash', withEvidence({ hash: 'h2' }), 'fail'],
  ['evidence', 'a superseded observation', withEvidence({ isSuperseded: true }), 'fail'],
  ['evidence', 'an unreadable observation', { evidence: new Map() }, 'unknown'],
  ['evidence', 'no marker', noEvidence, 'not_applicable'],
  ['freshness', 'an old observation', withEvidence({ seenAt: '2026-08-01T00:00:00.000Z' }), 'fail'],
  ['freshness', 'an old claim about a shown value', withNames({ seenAt: '2026-10-01T00:00:00.000Z' }), 'fail'],
  ['freshness', 'no policy', { policy: null }, 'unknown'],
  ['freshness', 'nothing relied on', noEvidence, 'not_applicable'],
  ['uncertainty', 'a contradicted value', withNames({}, { value: 'Other' }), 'fail'],
  [
    'uncertainty',
    'a contradicted citation',
    {
      claims: new Map([
        ['name', [name]],
        ['industry', [cited, { ...cited, id: 'e2', value: 'Farming' }]],
      ]),
    },
    'fail',
  ],
  ['uncertainty', 'low confidence', withEvidence(low), 'fail'],
  ['uncertainty', 'acknowledged low confidence', { ...withEvidence(low), ...acknowledged }, 'pass'],
  [
    'uncertainty',
    'low confidence that the policy does not accept',
    { ...withEvidence(low), ...acknowledged, ...withPolicy({ acknowledgeable: [] }) },
    'fail',
  ],
  ['uncertainty', 'no policy', { ...withEvidence(low), ...acknowledged, policy: null }, 'unknown'],
  ['ai_origin', 'an approved suggestion', { suggestion }, 'pass'],
  ['ai_origin', 'an invalidated suggestion', { suggestion: { ...suggestion, state: 'invalidated' } }, 'fail'],
  ['ai_origin', 'an expired suggestion', { suggestion: { ...suggestion, state: 'expired' } }, 'fail'],
  ['ai_origin', 'a suggestion that waits', { suggestion: { ...suggestion, state: 'proposed' } }, 'fail'],
  ['ai_origin', 'a suggestion of another prospect', { suggestion: { ...suggestion, state: 'missing' } }, 'unknown'],
  ['content', 'a missing required field', withContent({ text: 'Pumps [^1]' }), 'fail'],
  ['content', 'an email without a subject', withContent({ subject: null }), 'fail'],
  ['content', 'a letter with a subject', withContent({ channel: 'letter' }), 'fail'],
  [
    'content',
    'a message that is too long',
    withContent({ channel: 'sms', subject: null, text: `{{sender.name}}${'x'.repeat(476)}` }),
    'fail',
  ],
  ['content', 'an invisible sentence', withContent({ text: '{{sender.name}}\u{e0041}' }), 'fail'],
  ['content', 'a joined emoji', withContent({ text: '{{sender.name}} \u{1f469}\u200d\u{1f52c}' }), 'pass'],
  ['caps', 'the cap of a recipient', { caps: { ...passing.caps, recipient: { ...cap, used: 2 } } }, 'fail'],
  ['caps', 'the cap of a person', { caps: { ...passing.caps, person: { ...cap, used: 2 } } }, 'fail'],
  ['caps', 'the cap of the workspace', { caps: { ...passing.caps, tenant: { ...cap, used: 2 } } }, 'fail'],
  ['caps', 'the cap of all workspaces', { caps: { ...passing.caps, isEveryoneAtMost: true } }, 'fail'],
  [
    'caps',
    'a second consent request',
    { ...withContent({ purpose: 'consent_request' }), caps: { ...passing.caps, hasAskedConsent: true } },
    'fail',
  ],
  ['caps', 'another purpose after one', { caps: { ...passing.caps, hasAskedConsent: true } }, 'pass'],
  ['approval', 'no approval', { approval: 'none' }, 'fail'],
  ['approval', 'an ended approval', { approval: 'ended' }, 'fail'],
  ['approval', 'an expired approval', { approval: 'expired' }, 'fail'],
]

test.each(cases)('%s: %s', (key, _words, more, result) => {
  const check = resultOf({ ...passing, ...more }, key)
  expect(check).toMatchObject({ result })
  expect(check?.message).toMatch(/^["[{\p{Lu}].*\.$/u)
  // A blocking check names the next step and its place.
  if (result === 'fail' || result === 'unknown') expect([check?.action, check?.path]).not.toContain(null)
})

test('the basis that an approval is bound to stays the covering one when a longer one is added', () => {
  const longer = { ...consent, id: 'b2', until: '2028-01-01T00:00:00.000Z' }
  expect(resultOf({ ...passing, bases: [longer, consent], boundBasis: 'b1' }, 'legal_basis')?.message).toContain(
    'until 2027-01-01 00:00 UTC.',
  )
  expect(resultOf({ ...passing, bases: [longer, consent] }, 'legal_basis')?.message).toContain('2028-01-01')
})
