import type { DomainCandidate, DomainCandidateSummary } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { CandidatesScreen } from './candidates-screen.tsx'

const no = { value: 'no' as const, reason: 'Nothing speaks for it.' }

const candidate: DomainCandidate = {
  id: 'c1',
  domain: 'karoo-mail.co.za',
  business: { id: 'b1', name: 'Karoo Windpumps', status: 'active', doNotContact: false },
  origin: 'derived',
  state: 'open',
  band: 'medium',
  doNotContact: false,
  previousCandidateId: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  evidence: {
    for: [
      { code: 'email_domain', text: 'The record has an address there.', at: null, evidenceId: null, businessId: null },
    ],
    against: [{ code: 'other_record', text: 'Another record has it:', at: null, evidenceId: null, businessId: 'b2' }],
  },
  flags: {
    shared: no,
    parked: { value: 'unknown', reason: 'Name servers were not checked.' },
    wildcard: no,
    homograph: no,
    siblingSubdomain: no,
    conflictingEvidence: { value: 'yes', reason: 'Another record has it.' },
  },
  freshness: { newestEvidenceAt: null, dns: 'not_checked' },
  uncertainty: ['dns_not_checked'],
  reason: null,
  createdBy: { kind: 'system', name: 'Domains' },
  algorithmVersion: 'domains-1',
  normalizationVersion: 'n-1',
  suffixListVersion: 'tldts-7.5.4',
  currentSuffixList: { version: 'tldts-7.5.4', domain: 'karoo-mail.co.za', reason: null, isSame: true },
  evaluatedAt: '2026-11-20T10:00:00.000Z',
  fingerprint: 'as-it-was-shown',
  otherBusinesses: [{ id: 'b2', name: 'Overberg Pumps' }],
  lookalikes: [],
  wouldMark: [{ id: 'b1', name: 'Karoo Windpumps' }],
  decision: null,
  withdrawal: null,
}

const summary: DomainCandidateSummary = { ...candidate, flags: ['conflictingEvidence'] }
const decision = 'POST /domain-candidates/c1/decision'
const answers = {
  'GET /domain-candidates': json({
    items: [summary],
    page: { limit: 20, returned: 1, nextCursor: null, total: null },
  }),
  'GET /domain-candidates/c1': json(candidate),
}

const manager = sessionOf({ permissions: ['domains.read', 'domains.decide', 'businesses.read'] })

test('a candidate shows evidence for and against, uncertainties and unknowns; a reader cannot decide', async () => {
  fakeApi(answers)
  await renderInApp(<CandidatesScreen />, { session: sessionOf({ permissions: ['domains.read', 'businesses.read'] }) })
  const card = page.getByRole('article', { name: 'karoo-mail.co.za for Karoo Windpumps' })
  await expect.element(card).toMatchTextContent('The record has an address there.')
  await expect.element(card).toMatchTextContent('Another record has it: Overberg Pumps')
  await expect.element(card).toMatchTextContent('Not known. Name servers were not checked.')
  await expect.element(card).toMatchTextContent('Medium confidence')
  await expect.element(card).toMatchTextContent('DNS not checked.')
  expect(card.getByRole('button').elements()).toHaveLength(0)
})

test('accepting sends the shown fingerprint and the reason, and warns which record becomes do not contact', async () => {
  const api = fakeApi({ ...answers, [decision]: json({ candidate: { ...candidate, state: 'accepted' }, event: {} }) })
  await renderInApp(<CandidatesScreen />, { session: manager })
  await page.getByRole('button', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept karoo-mail.co.za for Karoo Windpumps?' })
  await expect.element(dialog).toMatchTextContent('Karoo Windpumps becomes do not contact')
  await expect.element(dialog.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('They confirmed it.')
  await dialog.getByRole('checkbox', { name: 'Also add the domain to the record' }).click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toEqual([{ decision: 'accept', reason: 'They confirmed it.', fingerprint: 'as-it-was-shown', addToRecord: true }])
})

test('a decision about a changed candidate is rejected with the changes, and loads the candidate again', async () => {
  const api = fakeApi({
    ...answers,
    [decision]: problem(409, 'candidate_changed', {
      detail: 'The candidate changed since it was shown.',
      errors: [{ path: 'fingerprint', code: 'evidence', message: 'Its evidence changed.' }],
    }),
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  await page.getByRole('button', { name: 'Reject…' }).click()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('Not theirs.')
  await page.getByRole('button', { name: 'Reject domain' }).click()
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent('The candidate changed since it was shown. Its evidence changed.')
  await expect.poll(() => api.sentTo('GET /domain-candidates/c1').length).toBeGreaterThan(1)
})
