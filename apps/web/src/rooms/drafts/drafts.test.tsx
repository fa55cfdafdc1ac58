import type { Business, Draft, DraftApprovalRequest } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { useKeyboard } from '../../app/keys/use-keyboard.ts'
import { CopyApproved } from './copy-approved.tsx'
import { DraftForm } from './draft-form.tsx'
import { InboxScreen } from './inbox-screen.tsx'

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
    versions: { policy: 'za/email/1' },
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

/** The keyboard is the frame's. */
function InboxWithKeys() {
  useKeyboard(false)
  return <InboxScreen />
}

test('the inbox moves with j and k, shows text, quotes and checks, and approves what is shown with y', async () => {
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
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('The draft is approved.')).toBeVisible()
  const [approval] = sentTo('POST /drafts/d2/approvals')
  expect(approval).toMatchObject({
    path: '/drafts/d2/approvals',
    body: { contentHash: hash, snapshotHash: hash, reason: 'It is right.' },
  })
})

test('a copy is made by a button that says that nothing leaves, and a refusal says why', async () => {
  const text = { subject: 'Pumps', text: 'Good day.', textWithheld: null }
  const { sentTo } = fakeApi({ 'POST /drafts/d1/copies': [json(text, 201), problem(422, 'cap_reached')] })
  await renderInApp(<CopyApproved draft={first} />, { session: sessionOf({ permissions: ['drafts.copy'] }) })
  await expect.element(page.getByText(/Copying does not send anything. 2 of 2 copies/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Copy approved text' }))
  await expect.element(page.getByText('Good day.')).toBeVisible()
  expect(sentTo('POST /drafts/d1/copies')[0]?.body).toEqual({
    draftVersion: 1,
    contentHash: hash,
    snapshotHash: hash,
    policyVersion: 'za/email/1',
  })
  await userEvent.click(page.getByRole('button', { name: 'Copy approved text' }))
  await expect.element(page.getByRole('alert')).toMatchTextContent('cap_reached.')
})

const business = {
  id: 'b1',
  name: 'Karoo Pumps',
  emails: [{ value: 'info@karoo.example' }],
  phones: [],
  address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: 'ZA' },
} as unknown as Business

test('the editor proposes recipient and jurisdiction from the record, checks what is typed, and saves it', async () => {
  const saved: object[] = []
  fakeApi({
    'GET /businesses/b1/evidence': list([]),
    'GET /draft-templates': list([]),
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
    />,
  )
  await userEvent.fill(page.getByRole('textbox', { name: 'Title' }), 'First letter')
  await userEvent.fill(page.getByRole('textbox', { name: 'Text', exact: true }), 'Good day.')
  await expect.element(page.getByText(/Fails Approval/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Save draft' }))
  await expect
    .poll(() => saved)
    .toEqual([
      {
        title: 'First letter',
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
