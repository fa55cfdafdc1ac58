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
  host: 'Shop.Karoo-Mail.co.za',
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
  isCurrent: true,
  fingerprint: 'as-it-was-shown',
  otherBusinesses: [{ id: 'b2', name: 'Overberg Pumps' }],
  lookalikes: [],
  wouldMark: [{ id: 'b1', name: 'Karoo Windpumps' }],
  decision: null,
  withdrawal: null,
}

const summary: DomainCandidateSummary = { ...candidate, flags: ['conflictingEvidence'] }
const decision = 'POST /domain-candidates/c1/decision'
const listPage = { limit: 20, returned: 1, nextCursor: null, total: null }
const waiting = (domain: string, openCandidates = 1, uses = 1) => ({
  domain,
  unicode: domain,
  uses,
  observations: 0,
  openCandidates,
  doNotContact: false,
  businesses: [],
  statuses: [],
})
const answers = {
  'GET /domains': json({ items: [waiting('karoo-mail.co.za')], page: listPage }),
  'GET /domain-candidates': json({
    items: [summary],
    page: { limit: 20, returned: 1, nextCursor: null, total: null },
  }),
  'GET /domain-candidates/c1': json(candidate),
}

const manager = sessionOf({ permissions: ['domains.read', 'domains.decide', 'businesses.read'] })

test('a candidate shows evidence for and against, uncertainties and unknowns; a reader cannot decide', async () => {
  fakeApi({ ...answers, 'GET /background-work': json({ items: [] }) })
  await renderInApp(<CandidatesScreen />, { session: sessionOf({ permissions: ['domains.read', 'businesses.read'] }) })
  await expect
    .element(page.getByRole('region', { name: 'karoo-mail.co.za' }))
    .toMatchTextContent('1 candidate waits · 1 prospect uses it')
  const card = page.getByRole('article', { name: 'karoo-mail.co.za for Karoo Windpumps' })
  await expect.element(card).toMatchTextContent('The record has an address there.')
  await expect.element(card).toMatchTextContent('Another record has it: Overberg Pumps')
  await expect.element(card).toMatchTextContent('Not known. Name servers were not checked.')
  await expect.element(card).toMatchTextContent('Medium confidence')
  await expect.element(card).toMatchTextContent('DNS not checked.')
  await expect.element(card).toMatchTextContent('Named as Shop.Karoo-Mail.co.za')
  expect(card.getByRole('button').elements()).toHaveLength(0)
})

test('a domain that others use is shown as likely shared, with their number in the format of the workspace', async () => {
  const shared = { value: 'likely' as const, reason: '1,204 other prospects use it.' }
  const used: DomainCandidate = {
    ...candidate,
    band: 'low',
    flags: {
      ...candidate.flags,
      shared,
      conflictingEvidence: { value: 'yes', reason: '1,204 other prospects use it.' },
    },
  }
  fakeApi({
    'GET /background-work': json({ items: [] }),
    ...answers,
    'GET /domain-candidates/c1': json(used),
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  const card = page.getByRole('article', { name: 'karoo-mail.co.za for Karoo Windpumps' })
  await expect.element(card).toMatchTextContent('Low confidence')
  await expect.element(card).toMatchTextContent(/SharedLikely\. 1\s204 other prospects use it\./)
})

test('a candidate is read again until the changes of other prospects are counted', async () => {
  const api = fakeApi({
    'GET /background-work': json({ items: [] }),
    ...answers,
    'GET /domain-candidates/c1': [json({ ...candidate, isCurrent: false }), json(candidate)],
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  await expect.poll(() => api.sentTo('GET /domain-candidates/c1').length, { timeout: 10_000 }).toBe(2)
})

test('a decision on a later page removes its candidate, and the candidates around it stay', async () => {
  const decided = new Set<string>()
  const all = Array.from({ length: 6 }, (_, at) => ({ ...summary, id: `c${at}`, domain: `karoo-${at}.co.za` }))
  fakeApi({
    'GET /background-work': json({ items: [] }),
    ...Object.fromEntries(
      all.map(({ id, domain }) => [`GET /domain-candidates/${id}`, json({ ...candidate, id, domain })]),
    ),
    'GET /domains': ({ query }) => {
      const open = all.filter(({ id }) => !decided.has(id))
      const from = query.get('cursor') === null ? 0 : open.findIndex(({ id }) => id > (query.get('cursor') ?? ''))
      const items = open.slice(from, from + 3)
      const nextCursor = from + 3 < open.length ? (items.at(-1)?.id ?? null) : null
      const page = { limit: 3, returned: items.length, nextCursor, total: null }
      return Response.json({ items: items.map(({ domain }) => waiting(domain)), page })
    },
    'GET /domain-candidates': ({ query }) =>
      Response.json({
        items: all.filter(({ id, domain }) => domain === query.get('domain') && !decided.has(id)),
        page: listPage,
      }),
    'POST /domain-candidates/c4/decision': () => {
      decided.add('c4')
      return Response.json({ candidate: { ...candidate, id: 'c4', state: 'rejected' }, event: {} })
    },
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  const cards = page.getByRole('article')
  await expect.poll(() => cards.elements().length).toBe(3)
  await page.getByRole('button', { name: /more/ }).click()
  await expect.poll(() => cards.elements().length).toBe(6)
  const fifth = page.getByRole('article', { name: 'karoo-4.co.za for Karoo Windpumps' })
  await fifth.getByRole('button', { name: 'Reject…' }).click()
  await page.getByRole('textbox', { name: /Reason/ }).fill('Not theirs.')
  await page.getByRole('button', { name: 'Reject domain' }).click()
  await expect.element(fifth).not.toBeInTheDocument()
  await expect.poll(() => cards.elements().length).toBe(5)
})

test('accepting sends the shown fingerprint and the reason, and warns which record becomes do not contact', async () => {
  const api = fakeApi({
    'GET /background-work': json({ items: [] }),
    ...answers,
    [decision]: json({ candidate: { ...candidate, state: 'accepted' }, event: {} }),
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  await page.getByRole('button', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept karoo-mail.co.za for Karoo Windpumps?' })
  await expect.element(dialog).toMatchTextContent('Karoo Windpumps will be marked do not contact')
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
    'GET /background-work': json({ items: [] }),
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

test('the candidates of a domain that many prospects use are shown on request and rejected together, in steps', async () => {
  const preview = { open: { low: 83, medium: 1, high: 2 }, isMore: false, through: 'c9' }
  const rejection = 'POST /domain-rejections'
  const api = fakeApi({
    'GET /background-work': json({ items: [] }),
    ...answers,
    'GET /domains': [
      json({ items: [waiting('mailhost.co.za', 86, 90)], page: listPage }),
      json({ items: [], page: listPage }),
    ],
    'GET /domain-candidates': json({ items: [{ ...summary, domain: 'mailhost.co.za' }], page: listPage }),
    'GET /domain-rejections/preview': json(preview),
    [rejection]: [json({ rejected: 50, isMore: true }), json({ rejected: 34, isMore: false })],
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  const group = page.getByRole('region', { name: 'mailhost.co.za' })
  await expect.element(group).toMatchTextContent('86 candidates wait · 90 prospects use it')
  expect(group.getByRole('article').elements()).toEqual([])
  await group.getByRole('button', { name: 'Show candidates of mailhost.co.za' }).click()
  await expect.element(group.getByRole('article', { name: 'mailhost.co.za for Karoo Windpumps' })).toBeVisible()
  await group.getByRole('button', { name: 'Reject all of mailhost.co.za' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject the candidates of mailhost.co.za?' })
  await expect
    .element(dialog)
    .toMatchTextContent('84 candidates are rejected: 83 with low and 1 with medium confidence.')
  await dialog.getByRole('textbox', { name: /Reason/ }).fill('A mail host.')
  await dialog.getByRole('button', { name: 'Reject the candidates' }).click()
  await expect.element(page.getByText('84 candidates of mailhost.co.za rejected.')).toBeVisible()
  await expect.element(page.getByText('No candidates to decide')).toBeVisible()
  const body = { through: 'c9', bands: ['low', 'medium'], reason: 'A mail host.' }
  expect(api.sentTo(rejection).map((sent) => sent.body)).toEqual([body, body])
  const keys = api.sentTo(rejection).map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys).size).toBe(2)
})

test('candidates with high confidence are rejected together only if the person includes them', async () => {
  const rejection = 'POST /domain-rejections'
  const api = fakeApi({
    'GET /background-work': json({ items: [] }),
    ...answers,
    'GET /domains': json({ items: [waiting('mailhost.co.za', 2)], page: listPage }),
    'GET /domain-rejections/preview': json({ open: { low: 0, medium: 0, high: 2 }, isMore: false, through: 'c9' }),
    [rejection]: json({ rejected: 2, isMore: false }),
  })
  await renderInApp(<CandidatesScreen />, { session: manager })
  await page.getByRole('button', { name: 'Reject all of mailhost.co.za' }).click()
  await page.getByRole('textbox', { name: /Reason/ }).fill('A mail host.')
  await page.getByRole('button', { name: 'Reject the candidates' }).click()
  await expect.element(page.getByText('No candidate is left to reject.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Also reject 2 candidates with high confidence' }).click()
  await page.getByRole('button', { name: 'Reject the candidates' }).click()
  await expect
    .poll(() => api.sentTo(rejection).map(({ body }) => body))
    .toEqual([{ through: 'c9', bands: ['low', 'medium', 'high'], reason: 'A mail host.' }])
})
