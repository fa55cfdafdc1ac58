import type { AssistPreview, AssistStatus, AssistSuggestion, Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { AssistanceTab } from './assistance-tab.tsx'

const business = { id: 'b1', name: 'Karoo Windpumps', status: 'active', doNotContact: null } as unknown as Business
const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })

const item = {
  key: 'approval',
  state: 'expired',
  detail: 'The approval of the policy ended.',
  since: '2026-11-01T00:00:00.000Z',
  resolvableBy: 'manager',
  recordedIn: 'assist',
} as const
const off: AssistStatus = { enabled: false, items: [item], policyId: 'p1', source: null }
const on: AssistStatus = { enabled: true, items: [], policyId: 'p1', source: { id: 's1', name: 'Model' } }

const evidence = { id: 'e1', field: 'industry', value: 'Windpumps', observation: null, supersededById: null }

const preview: AssistPreview = {
  content: '{"messages":[]}',
  contentHash: 'hash-1',
  bytes: 1_234,
  redactions: [{ evidenceId: 'e1', kind: 'number', count: 2 }],
  withheld: [],
  reservation: { tokens: 3_282, cost: 9 },
  blocked: null,
}

const proposed = {
  id: 'g1',
  businessId: 'b1',
  purpose: 'prospect_summary',
  label: 'AI draft — human review required',
  state: 'proposed',
  stateReason: null,
  jobId: 'j1',
  result: { kind: 'full', reason: null, detail: null, retryAfter: null, dropped: [] },
  claims: [{ text: 'It sells windpumps.', citations: [{ evidenceId: 'e1', hash: 'h', quotes: ['Windpumps'] }] }],
  fingerprint: 'as-it-was-seen',
  fallbackUsed: false,
  requestedAt: '2026-11-20T10:00:00.000Z',
  requestedBy: { kind: 'user', id: 'someone', name: 'Ben' },
  decision: null,
} as unknown as AssistSuggestion

const permissions = ['assist.read', 'assist.request', 'assist.decide', 'businesses.read', 'evidence.read'] as const
const render = (answers: Parameters<typeof fakeApi>[0]) => {
  const api = fakeApi(answers)
  return renderInApp(<AssistanceTab business={business} />, {
    session: sessionOf({ permissions: [...permissions] }),
  }).then(() => api)
}

test('while assistance is disabled, the tab lists what is missing and who can resolve it, and offers no request', async () => {
  await render({ 'GET /assist/status': json(off), 'GET /assist/suggestions': list([]) })
  await expect.element(page.getByText('Disabled.', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'What is missing' }))
    .toMatchTextContent('A manager can resolve this.')
  expect(page.getByRole('button', { name: 'Preview what will be sent' }).elements()).toHaveLength(0)
})

test('a user chooses evidence, sees the exact content, and requests exactly that', async () => {
  const request = 'POST /assist/suggestions'
  const api = await render({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([]),
    'GET /businesses/b1/evidence': list([evidence]),
    'POST /assist/previews': json(preview),
    [request]: json(proposed),
  })
  await page.getByRole('checkbox', { name: 'Industry: Windpumps' }).click()
  await page.getByRole('button', { name: 'Preview what will be sent' }).click()
  await expect
    .element(page.getByRole('region', { name: 'Preview' }))
    .toMatchTextContent('1 234 bytes. 2 values hidden.')
  await page.getByRole('button', { name: 'Request suggestion' }).click()
  await expect
    .poll(() => api.sentTo(request).map(({ body }) => body))
    .toMatchObject([{ businessId: 'b1', purpose: 'prospect_summary', evidenceIds: ['e1'], contentHash: 'hash-1' }])
})

test('a preview says how many observations are withheld, and why', async () => {
  const withheld = [
    { evidenceId: 'e1', reason: 'too_long' },
    { evidenceId: 'e2', reason: 'too_long' },
    { evidenceId: 'e3', reason: 'contact_value_left' },
  ] as const
  await render({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([]),
    'GET /businesses/b1/evidence': list([evidence]),
    'POST /assist/previews': json({ ...preview, withheld }),
  })
  await page.getByRole('checkbox', { name: 'Industry: Windpumps' }).click()
  await page.getByRole('button', { name: 'Preview what will be sent' }).click()
  const shown = page.getByRole('region', { name: 'Preview' })
  await expect.element(shown).toMatchTextContent('2 observations are left out because the text is too long to check.')
  await expect
    .element(shown)
    .toMatchTextContent('1 observation is left out because an address or number may be left in the text.')
})

test('a chosen observation that is superseded meanwhile is not sent, and its preview is taken back', async () => {
  const newer = { ...evidence, id: 'e2', value: 'Solar pumps' }
  const other = { ...evidence, id: 'e3', field: 'city', value: 'Cradock' }
  const previews = 'POST /assist/previews'
  const api = fakeApi({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([]),
    'GET /businesses/b1/evidence': [
      list([other, evidence]),
      list([newer, other, { ...evidence, supersededById: 'e2' }]),
    ],
    [previews]: json(preview),
  })
  const { queryClient } = await renderInApp(<AssistanceTab business={business} />, {
    session: sessionOf({ permissions: [...permissions] }),
  })
  await page.getByRole('checkbox', { name: 'Industry: Windpumps' }).click()
  await page.getByRole('checkbox', { name: 'City: Cradock' }).click()
  await page.getByRole('button', { name: 'Preview what will be sent' }).click()
  await expect.element(page.getByRole('button', { name: 'Request suggestion' })).toBeVisible()
  await queryClient.invalidateQueries({ queryKey: answersOf('listEvidence') })
  await expect.element(page.getByText(/1 observation that you chose is no longer listed, so not sent/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Request suggestion' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Preview what will be sent' }).click()
  await expect
    .poll(() => api.sentTo(previews).map(({ body }) => (body as { evidenceIds: string[] }).evidenceIds))
    .toEqual([['e1', 'e3'], ['e3']])
})

test('no more than 40 observations can be chosen', async () => {
  const many = Array.from({ length: 41 }, (_, index) => ({ ...evidence, id: `e${index}`, value: `Pump ${index}` }))
  await render({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([]),
    'GET /businesses/b1/evidence': list(many),
  })
  await expect.element(page.getByRole('group', { name: 'Evidence: 0 of at most 40 observations' })).toBeVisible()
  for (const { value } of many.slice(0, 40)) {
    const box = page.getByRole('checkbox', { name: `Industry: ${value}`, exact: true }).element()
    if (box instanceof HTMLElement) box.click()
  }
  await expect.element(page.getByText('At most 40 observations can be sent.', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: 'Industry: Pump 40' })).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Industry: Pump 3', exact: true }).click()
  await expect.element(page.getByRole('checkbox', { name: 'Industry: Pump 40' })).toBeEnabled()
})

test('a person who may not request suggestions does not read their jobs', async () => {
  const api = fakeApi({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([{ ...proposed, state: 'running', result: null, claims: [] }]),
  })
  await renderInApp(<AssistanceTab business={business} />, { session: sessionOf({ permissions: ['assist.read'] }) })
  await expect.element(page.getByRole('list', { name: 'Suggestions, newest first' })).toBeVisible()
  // A followed job is read as soon as it is shown.
  expect(api.sent.filter(({ path }) => path.startsWith('/jobs/'))).toEqual([])
})

test('claims appear beside their quotes, and another user approves what is shown, by keyboard', async () => {
  const decision = 'POST /assist/suggestions/g1/decision'
  const api = await render({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([proposed]),
    'GET /businesses/b1/evidence': list([]),
    [decision]: json({ suggestion: { ...proposed, state: 'approved' }, event: {} }),
  })
  const suggestions = page.getByRole('list', { name: 'Suggestions, newest first' })
  await expect.element(suggestions).toMatchTextContent('AI draft — human review required')
  await expect.element(suggestions).toMatchTextContent('Waiting for approval')
  await expect.element(suggestions.getByText('Windpumps', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('The quotes support it.{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(decision).map(({ body }) => body))
    .toMatchObject([{ decision: 'approve', reason: 'The quotes support it.', fingerprint: 'as-it-was-seen' }])
})

test('a draft is started from an approved suggestion by a user who may write drafts', async () => {
  fakeApi({
    'GET /assist/status': json(on),
    'GET /assist/suggestions': list([
      { ...proposed, state: 'approved' },
      { ...proposed, id: 'g2' },
    ]),
    'GET /businesses/b1/evidence': list([]),
  })
  await renderInApp(<AssistanceTab business={business} />, {
    session: sessionOf({ permissions: [...permissions, 'drafts.write'] }),
  })
  await expect
    .element(page.getByRole('link', { name: 'Start a draft' }))
    .toHaveAttribute('href', '/drafts/new?businessId=b1&suggestionId=g1')
})
