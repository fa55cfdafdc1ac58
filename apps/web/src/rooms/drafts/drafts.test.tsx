import type { AssistSuggestion, Business, Draft, DraftApprovalRequest } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { useKeyboard } from '../../app/keys/use-keyboard.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'
import { CopyApproved } from './copy-approved.tsx'
import { DraftForm } from './draft-form.tsx'
import { refreshDrafts } from './drafts.queries.ts'
import { InboxScreen } from './inbox-screen.tsx'
import { NewDraft } from './new-draft-screen.tsx'

const ann = { kind: 'user' as const, id: 'u1', name: 'Ann' }
const hash = 'a'.repeat(64)
const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const cap = { used: 0, most: 2, freeAt: null }

const draftOf = (id: string, title: string) =>
  ({
    id,
    title,
    version: 1,
    business: { id: 'b1', name: 'Karoo Pumps', doNotContact: false },
    recipient: { kind: 'email', value: 'info@karoo.example' },
    label: null,
    acknowledgements: [],
    rendered: { subject: 'Pumps', text: `Text of ${title}` },
    citations: [{ marker: 1, evidenceId: 'e1', evidenceHash: hash, quote: 'repair windpumps' }],
    noCitationReason: null,
    contentHash: hash,
    snapshotHash: hash,
    checks: [
      { key: 'recipient', result: 'pass', message: 'The recipient is on the record.', action: null, path: null },
      { key: 'approval', result: 'fail', message: 'Nobody has approved it.', action: 'Request approval.', path: null },
    ],
    request: { by: ann, at: '2026-11-20T10:00:00.000Z', mayDecide: true, refusal: null },
    lastApprovedVersion: null,
    caps: { recipient: cap, person: cap, tenant: cap },
    versions: { policy: 'za/email/1', suggestion: null, provider: null, assistPolicy: null },
  }) as unknown as Draft

const requestOf = (draft: Draft) =>
  ({
    id: `r-${draft.id}`,
    draft,
    by: ann,
    at: '2026-11-20T10:00:00.000Z',
    mayDecide: true,
  }) as unknown as DraftApprovalRequest

const [first, second] = [draftOf('d1', 'First letter'), draftOf('d2', 'Second letter')]

/** The inbox with the keyboard of the frame. */
function InboxWithKeys() {
  useKeyboard(false)
  return <InboxScreen />
}

test('the inbox moves with j and k, shows text, quotes and checks, and y approves what is shown', async () => {
  const { sentTo } = fakeApi({
    'GET /draft-approval-requests': list([requestOf(first), requestOf(second)]),
    'GET /drafts/d1': json(first),
    'GET /drafts/d2': json(second),
    'POST /drafts/d2/approvals': json({ draft: second, event: {} }),
  })
  await renderInApp(<InboxWithKeys />, { session: sessionOf({ permissions: ['drafts.read', 'drafts.approve'] }) })
  await expect.element(page.getByText('Text of First letter')).toBeVisible()
  await expect.element(page.getByText('repair windpumps')).toBeVisible()
  await expect.element(page.getByText(/Fails Approval: Nobody has approved it/)).toBeVisible()
  await userEvent.keyboard('j')
  await expect.element(page.getByText('Text of Second letter')).toBeVisible()
  await userEvent.keyboard('k')
  await expect.element(page.getByText('Text of First letter')).toBeVisible()
  await userEvent.keyboard('j')
  await expect.element(page.getByText('Text of Second letter')).toBeVisible()
  await userEvent.keyboard('y')
  await userEvent.fill(page.getByRole('textbox', { name: /Reason/ }), 'It is right.')
  await userEvent.fill(page.getByRole('textbox', { name: 'Approval ends after (days)' }), '14')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('The draft is approved.')).toBeVisible()
  const [approval] = sentTo('POST /drafts/d2/approvals')
  expect(approval).toMatchObject({
    path: '/drafts/d2/approvals',
    body: { contentHash: hash, snapshotHash: hash, reason: 'It is right.', endsInDays: 14 },
  })
})

test('a request that arrives takes the place neither of the shown one nor of the one that is being decided', async () => {
  const third = draftOf('d3', 'Third letter')
  const later = { ...second, version: 2, contentHash: 'b'.repeat(64) } as Draft
  const api = fakeApi({
    'GET /draft-approval-requests': list([requestOf(second), requestOf(first)]),
    'GET /drafts/d1': json(first),
    'GET /drafts/d2': json(second),
    'GET /drafts/d3': json(third),
    'POST /drafts/d2/approvals': problem(409, 'draft_changed', { detail: 'This draft changed since you opened it.' }),
  })
  const { queryClient } = await renderInApp(<InboxWithKeys />, {
    session: sessionOf({ permissions: ['drafts.read', 'drafts.approve'] }),
  })
  await expect.element(page.getByText('Text of Second letter')).toBeVisible()
  api.answer('GET /draft-approval-requests', list([requestOf(third), requestOf(second), requestOf(first)]))
  api.answer('GET /drafts/d2', json(later))
  const live = () => refreshDrafts(queryClient)
  await live()
  await expect.element(page.getByRole('list', { name: 'Requests, newest first' })).toMatchTextContent('Third letter')
  await expect.element(page.getByText('Text of Second letter')).toBeVisible()
  // The version of the open dialog is the one that the approver saw.
  api.answer('GET /drafts/d2', json(second))
  await live()
  await userEvent.keyboard('y')
  const dialog = page.getByRole('dialog', { name: 'Approve “Second letter”?' })
  await userEvent.fill(dialog.getByRole('textbox', { name: /Reason/ }), 'It is right.')
  api.answer('GET /draft-approval-requests', list([requestOf(third), requestOf(first)]))
  api.answer('GET /drafts/d2', json(later))
  await live()
  await expect.element(page.getByText('Text of First letter')).toBeVisible()
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('This draft changed since you opened it.')
  expect(api.sentTo('POST /drafts/d2/approvals')[0]?.body).toMatchObject({ contentHash: hash, reason: 'It is right.' })
  expect(api.sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('r rejects the shown request with a reason', async () => {
  const { sentTo } = fakeApi({
    'GET /draft-approval-requests': list([requestOf(first)]),
    'GET /drafts/d1': json(first),
    'POST /drafts/d1/rejections': json(first),
  })
  await renderInApp(<InboxWithKeys />, { session: sessionOf({ permissions: ['drafts.read', 'drafts.approve'] }) })
  await expect.element(page.getByText('Text of First letter')).toBeVisible()
  await userEvent.keyboard('r')
  await userEvent.fill(page.getByRole('textbox', { name: /Reason/ }), 'Too long.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => sentTo('POST /drafts/d1/rejections').map(({ body }) => body))
    .toEqual([{ reason: 'Too long.', contentHash: hash }])
})

const business = {
  id: 'b1',
  name: 'Karoo Pumps',
  emails: [{ value: 'info@karoo.example' }],
  phones: [],
  address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: 'ZA' },
} as unknown as Business

test('the editor proposes recipient and jurisdiction from the record, checks the typed text, and saves it', async () => {
  const saved: object[] = []
  fakeApi({
    'GET /businesses/b1/evidence': list([]),
    'GET /draft-templates': list([]),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
    'GET /assignees': list([]),
    'POST /draft-checks': json({
      rendered: first.rendered,
      checks: first.checks,
      contentHash: hash,
      snapshotHash: hash,
    }),
  })
  await renderInApp(
    <DraftForm
      business={business}
      draft={null}
      send={async (body) => {
        saved.push(body)
        return first
      }}
      saved={() => undefined}
      close={() => undefined}
      reopen={() => undefined}
    />,
  )
  await userEvent.fill(page.getByRole('textbox', { name: 'Title' }), 'First letter')
  await userEvent.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Good day.')
  await expect.element(page.getByText(/Passes Recipient/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Save draft' }))
  await expect
    .poll(() => saved)
    .toEqual([
      {
        title: 'First letter',
        assigneeId: 'user-1',
        jurisdiction: 'za',
        channel: 'email',
        purpose: 'introduction',
        language: 'en',
        recipient: { kind: 'email', value: 'info@karoo.example' },
        subject: null,
        text: 'Good day.',
        citations: [],
        noCitationReason: null,
        acknowledgements: [],
      },
    ])
})

const label = 'AI draft — human review required'
const suggestion = {
  id: 'g1',
  businessId: 'b1',
  state: 'approved',
  label,
  claims: [
    { text: 'They repair windpumps.', citations: [{ evidenceId: 'e1', hash: 'h', quotes: ['repair windpumps'] }] },
  ],
} as unknown as AssistSuggestion

test('a draft starts from a suggestion with its label and citations; text, assignee and acknowledgements can be edited', async () => {
  const saved: object[] = []
  fakeApi({
    'GET /businesses/b1/evidence': list([
      {
        id: 'e1',
        field: null,
        value: null,
        observation: 'They repair windpumps.',
        confidence: 'low',
        supersededById: null,
      },
      { id: 'e2', field: 'city', value: 'Cradock', observation: null, confidence: 'low', supersededById: null },
    ]),
    'GET /draft-templates': list([]),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
    'GET /assignees': list([{ id: 'u2', name: 'Ben' }]),
    'POST /draft-checks': json({ rendered: null, checks: first.checks, label, contentHash: hash, snapshotHash: hash }),
  })
  await renderInApp(
    <DraftForm
      business={business}
      draft={null}
      suggestion={suggestion}
      send={async (body) => {
        saved.push(body)
        return first
      }}
      saved={() => undefined}
      close={() => undefined}
      reopen={() => undefined}
    />,
  )
  await expect.element(page.getByText(label)).toBeVisible()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await expect.element(text).toHaveValue('They repair windpumps. [^1]')
  await userEvent.fill(page.getByRole('textbox', { name: 'Title' }), 'First letter')
  await userEvent.click(text)
  await userEvent.keyboard('{Control>}{Home}{/Control}')
  await userEvent.click(page.getByRole('combobox', { name: 'Insert a field' }))
  await userEvent.click(page.getByRole('option', { name: 'City' }))
  await expect.element(text).toHaveValue('{{business.city}} They repair windpumps. [^1]')
  await userEvent.click(page.getByRole('combobox', { name: 'Assignee' }))
  await userEvent.click(page.getByRole('option', { name: 'Ben' }))
  await userEvent.fill(
    page.getByRole('textbox', { name: /Why this uncertain fact can be used: They repair/ }),
    'Seen there.',
  )
  await userEvent.click(page.getByRole('button', { name: 'Save draft' }))
  await expect
    .poll(() => saved)
    .toMatchObject([
      {
        assigneeId: 'u2',
        text: '{{business.city}} They repair windpumps. [^1]',
        citations: [{ marker: 1, evidenceId: 'e1', quote: 'repair windpumps' }],
        acknowledgements: [{ evidenceId: 'e1', reason: 'Seen there.' }],
      },
    ])
})

test('the label of a text that started as a suggestion appears in the inbox and on the copy', async () => {
  const contactHours = { status: 'allowed', reason: '', nextAt: null, calendarVersion: 'za-1', isRefused: false }
  const labelled = { ...first, label, contactHours }
  fakeApi({
    'GET /draft-approval-requests': list([requestOf(labelled as Draft)]),
    'GET /drafts/d1': json(labelled),
    'POST /drafts/d1/copies': json({ subject: 'Pumps', text: 'Good day.', textWithheld: null, label }, 201),
  })
  const { show } = await renderInApp(<InboxScreen />, {
    session: sessionOf({ permissions: ['drafts.read', 'drafts.copy'] }),
  })
  await expect.element(page.getByText(label)).toBeVisible()
  show(<CopyApproved draft={labelled as Draft} />)
  await userEvent.click(page.getByRole('button', { name: 'Copy subject and text' }))
  await expect.element(page.getByRole('status').getByText(label)).toBeVisible()
})

test('a check links to its place', async () => {
  fakeApi({
    'GET /draft-approval-requests': list([requestOf(first)]),
    'GET /drafts/d1': json({
      ...first,
      checks: [
        { key: 'recipient', result: 'fail', message: 'It is gone.', action: null, path: 'recipient' },
        { key: 'legal_basis', result: 'fail', message: 'None.', action: null, path: 'legal-bases' },
        { key: 'policy', result: 'fail', message: 'None.', action: null, path: 'policy' },
        { key: 'citations', result: 'fail', message: 'Wrong.', action: null, path: 'citations.1' },
      ],
    }),
  })
  await renderInApp(<InboxScreen />, { session: sessionOf({ permissions: ['drafts.read'] }) })
  const link = (words: string, check: string) => page.getByRole('link', { name: new RegExp(`${words}\\s?: ${check}`) })
  await expect.element(link('Open the policies', 'Policy')).toHaveAttribute('href', '/settings/draft-policies')
  await expect.element(link('Open the prospect', 'Legal basis')).toHaveAttribute('href', '/prospects/b1?tab=drafts')
  await userEvent.click(link('Go to it', 'Recipient'))
  await expect.poll(() => document.activeElement?.id).toBe('draft-recipient')
  await userEvent.click(link('Go to it', 'Citations'))
  await expect.poll(() => document.activeElement?.id).toBe('draft-citations')
})

test('the inbox shows the word-by-word difference from the last approved version', async () => {
  const version = (number: number, text: string) => ({ ...first, number, subject: 'Pumps', text })
  fakeApi({
    'GET /draft-approval-requests': list([requestOf(first)]),
    'GET /drafts/d1': json({ ...first, version: 2, lastApprovedVersion: 1 }),
    'GET /drafts/d1/versions': list([version(2, 'You repair windpumps.'), version(1, 'You sell windpumps.')]),
  })
  await renderInApp(<InboxScreen />, { session: sessionOf({ permissions: ['drafts.read'] }) })
  await expect.element(page.getByRole('heading', { name: 'Changes since version 1, which was approved' })).toBeVisible()
  await expect.element(page.getByRole('deletion')).toMatchTextContent('sell')
  await expect.element(page.getByRole('insertion')).toMatchTextContent('repair')
})

test('the screen of a new draft shows the block of a prospect and no form, also when the block arrives later', async () => {
  const block = { at: '2026-11-20T10:00:00.000Z', by: ann, reason: 'Asked by phone.', through: 'both' as const }
  const free = businessOf({ emails: [] })
  fakeApi({
    'GET /businesses/b1': [json(free), json(businessOf({ doNotContact: block }))],
    'GET /businesses/b1/evidence': list([]),
    'GET /assignees': list([]),
    'GET /draft-templates': list([]),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
  })
  const { queryClient } = await renderInApp(<NewDraft businessId="b1" />, {
    session: sessionOf({ permissions: ['drafts.read', 'drafts.write'] }),
  })
  await expect.element(page.getByRole('form', { name: 'Draft' })).toBeVisible()
  await queryClient.invalidateQueries({ queryKey: recordKey('b1') })
  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect.element(band).toMatchTextContent('Do not contact. Asked by phone.')
  await expect.element(band).toMatchTextContent('Nobody can write to this prospect.')
  await expect.element(page.getByRole('form', { name: 'Draft' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'Karoo Solar' })).toBeVisible()
})
