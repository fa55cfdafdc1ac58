import type { Business, DraftPolicyProposal } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { RecordPageContext } from '../../ui/rooms/record-page.ts'
import type { RecordPage } from '../../ui/rooms/record-parts.ts'
import { AddBasisDialog } from './add-basis-dialog.tsx'
import { Bases } from './bases.tsx'
import { PoliciesScreen } from './policies-screen.tsx'

const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })

const content = {
  jurisdiction: 'za',
  channel: 'email',
  legalBases: ['consent'],
  requiredFields: ['sender.name'],
  freshnessDays: { other: 365, domain: 180 },
  acknowledgeable: ['low_confidence'],
  contactHours: 'refuse',
  registryDays: 30,
  basisForm: 'known',
  sources: ['Consent before a first email. Source: a summary.'],
  reviewBy: '2027-11-30',
  caps: { recipient: 2, person: 50, tenant: 200 },
  optOutText: 'Reply with "Stop".',
} satisfies Partial<DraftPolicyProposal>
const proposal = { ...content, label: 'Not legal advice', notes: ['POPIA protects companies too.'] }
const ann = { kind: 'user' as const, id: 'user-1', name: 'Ann Mokoena' }
const inForce = {
  ...content,
  id: 'p1',
  version: 1,
  name: 'eu/letter/1',
  jurisdiction: 'eu',
  channel: 'letter',
  legalBases: ['contract'],
  owner: ann,
  endsAt: '2027-06-01T00:00:00.000Z',
  state: 'approved',
  proposedAt: '2026-11-20T10:00:00.000Z',
  proposedBy: ann,
  decision: null,
  mayDecide: false,
}

test('a policy is proposed from a shipped proposal, and every part of it can be changed', async () => {
  const { sentTo } = fakeApi({
    'GET /draft-policies': list([inForce]),
    'GET /draft-policies/proposals': json({ items: [proposal] }),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
    'GET /assignees': list([ann, { id: 'u2', name: 'Ben' }]),
    'POST /draft-policies': json(inForce, 201),
  })
  await renderInApp(<PoliciesScreen />, { session: sessionOf({ permissions: ['drafts.read', 'drafts.configure'] }) })
  await expect
    .element(page.getByText(/Evidence may be 365 days old, web domain 180; uncertain facts are accepted/))
    .toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Propose a policy…' }))
  await expect.element(page.getByText('Not legal advice.')).toBeVisible()
  await userEvent.click(page.getByRole('checkbox', { name: 'They asked for it' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'Text to opt out' }))
  await userEvent.click(page.getByRole('checkbox', { name: /Accept uncertain facts/ }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Evidence may be at most (days) old' }), '90')
  await userEvent.fill(page.getByRole('textbox', { name: 'Copies by one person a day' }), '10')
  const sources = page.getByRole('textbox', { name: 'Sources' })
  await expect.element(sources).toHaveValue('Consent before a first email. Source: a summary.')
  await userEvent.fill(sources, 'Consent before a first email. Source: a summary.\n\n Silence is no consent. ')
  await userEvent.fill(page.getByRole('textbox', { name: 'Review the sources by' }), '2027-06-30')
  await userEvent.click(page.getByRole('combobox', { name: 'Owner' }))
  await userEvent.click(page.getByRole('option', { name: 'Ben' }))
  await userEvent.click(page.getByRole('button', { name: 'Propose policy', exact: true }))
  await expect
    .poll(() => sentTo('POST /draft-policies').map(({ body }) => body))
    .toMatchObject([
      {
        jurisdiction: 'za',
        channel: 'email',
        legalBases: ['consent', 'asked_by_them'],
        requiredFields: ['sender.name', 'sender.optOut'],
        freshnessDays: { other: 90, domain: 180 },
        acknowledgeable: [],
        contactHours: 'refuse',
        registryDays: 30,
        basisForm: 'known',
        sources: ['Consent before a first email. Source: a summary.', 'Silence is no consent.'],
        reviewBy: '2027-06-30',
        caps: { recipient: 2, person: 10, tenant: 200 },
        ownerId: 'u2',
      },
    ])
})

test('the next version of a policy begins with the one in force', async () => {
  fakeApi({
    'GET /draft-policies': list([inForce]),
    'GET /draft-policies/proposals': json({ items: [proposal] }),
    'GET /assignees': list([ann]),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
  })
  await renderInApp(<PoliciesScreen />, { session: sessionOf({ permissions: ['drafts.read', 'drafts.configure'] }) })
  await userEvent.click(page.getByRole('button', { name: 'Propose a policy…' }))
  await userEvent.click(page.getByRole('combobox', { name: 'Start with' }))
  await userEvent.click(page.getByRole('option', { name: 'European Union, letter, the version in force' }))
  await expect.element(page.getByRole('combobox', { name: 'Country whose law applies' })).toHaveValue('European Union')
  await expect.element(page.getByRole('checkbox', { name: 'Contract' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Consent', exact: true })).not.toBeChecked()
})

const business = {
  id: 'b1',
  emails: [{ value: 'info@karoo.example' }],
  phones: [],
  address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: 'ZA' },
} as unknown as Business

test('a legal basis applies to one recipient or to all, and its proof is a document or evidence', async () => {
  const { sentTo } = fakeApi({
    'GET /businesses/b1/evidence': list([
      { id: 'e1', field: null, value: null, observation: 'They signed.', supersededById: null },
    ]),
    'POST /businesses/b1/legal-bases': json({}, 201),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
  })
  const close = () => undefined
  await renderInApp(
    <DialogSlot>
      <AddBasisDialog business={business} close={close} reopen={close} />
    </DialogSlot>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Add legal basis' }))
  await expect.element(page.getByText('Enter where the proof is stored, or choose evidence.')).toBeVisible()
  for (const missing of ['Choose how they gave it.', 'Enter what exactly they consented to.', /^Enter the language/])
    await expect.element(page.getByText(missing)).toBeVisible()
  await userEvent.click(page.getByRole('combobox', { name: 'How they gave it' }))
  await userEvent.click(page.getByRole('option', { name: 'In writing' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'What exactly they agreed to' }), 'Offers by email.')
  await userEvent.fill(page.getByRole('textbox', { name: 'Language' }), 'af')
  await userEvent.click(page.getByRole('combobox', { name: 'Evidence' }))
  await userEvent.click(page.getByRole('option', { name: 'They signed.' }))
  await userEvent.click(page.getByRole('combobox', { name: 'Recipient' }))
  await userEvent.click(page.getByRole('option', { name: 'info@karoo.example' }))
  await userEvent.click(page.getByRole('button', { name: 'Add legal basis' }))
  await expect
    .poll(() => sentTo('POST /businesses/b1/legal-bases').map(({ body }) => body))
    .toMatchObject([
      {
        kind: 'consent',
        form: 'written',
        language: 'af',
        agreedTo: 'Offers by email.',
        recordingReference: null,
        sale: null,
        recipient: { kind: 'email', value: 'info@karoo.example' },
        documentReference: null,
        evidenceId: 'e1',
        jurisdiction: 'za',
      },
    ])
})

test('each kind and form of a legal basis asks for its own parts, and sends no others', async () => {
  const { sentTo } = fakeApi({
    'GET /businesses/b1/evidence': list([]),
    'POST /businesses/b1/legal-bases': json({}, 201),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
  })
  const close = () => undefined
  await renderInApp(
    <DialogSlot>
      <AddBasisDialog business={business} close={close} reopen={close} />
    </DialogSlot>,
  )
  const choose = async (label: string, option: string) => {
    await userEvent.click(page.getByRole('combobox', { name: label }))
    await userEvent.click(page.getByRole('option', { name: option, exact: true }))
  }
  const field = (name: string) => page.getByRole('textbox', { name })
  const add = page.getByRole('button', { name: 'Add legal basis' })
  await choose('How they gave it', 'By telephone')
  await userEvent.fill(field('What exactly they agreed to'), 'Calls about windpumps.')
  await userEvent.fill(field('Language'), 'en')
  await userEvent.click(add)
  await expect.element(page.getByText('Enter where the recording of the call is stored.')).toBeVisible()
  await expect.element(page.getByText(/^Enter where the proof/)).not.toBeInTheDocument()
  await userEvent.fill(field('Recording'), 'Recorder 2, call 4711')
  await userEvent.click(add)
  await choose('Kind', 'Existing customer')
  await expect.element(field('Recording')).not.toBeInTheDocument()
  await userEvent.click(add)
  await expect.element(page.getByText('Enter what they bought.')).toBeVisible()
  await userEvent.fill(field('What they bought'), 'Two windpumps')
  await userEvent.fill(field('Bought on'), '2026-09-01')
  await userEvent.fill(field('Proof'), 'Invoice 12')
  await userEvent.click(add)
  await choose('Kind', 'Legitimate interest')
  await userEvent.click(add)
  const none = { form: null, language: null, agreedTo: null, recordingReference: null, sale: null }
  await expect
    .poll(() => sentTo('POST /businesses/b1/legal-bases').map(({ body }) => body))
    .toMatchObject([
      {
        kind: 'consent',
        form: 'telephone',
        language: 'en',
        agreedTo: 'Calls about windpumps.',
        recordingReference: 'Recorder 2, call 4711',
        documentReference: null,
        sale: null,
      },
      {
        ...none,
        kind: 'existing_customer',
        form: 'existing_customer',
        sale: { what: 'Two windpumps', on: '2026-09-01' },
        documentReference: 'Invoice 12',
      },
      { ...none, kind: 'legitimate_interest', documentReference: 'Invoice 12' },
    ])
})

const basis = {
  id: 'l1',
  businessId: 'b1',
  kind: 'consent',
  form: 'telephone',
  language: 'en',
  agreedTo: 'Calls about windpumps.',
  recordingReference: 'Recorder 2, call 4711',
  sale: null,
  channels: ['call_script'],
  purpose: 'introduction',
  jurisdiction: 'za',
  recipient: null,
  documentReference: null,
  evidenceId: null,
  from: '2026-11-01T00:00:00.000Z',
  until: '2027-11-01T00:00:00.000Z',
  objectedAt: null,
  withdrawal: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: ann,
}

const renderBases = (of: Business, actions: { id: string; label: string; run: () => void }[]) => {
  const recordPage = { actions, openTab: () => {}, openForm: () => {}, openDialog: () => {} } as unknown as RecordPage
  return renderInApp(
    <DialogSlot>
      <RecordPageContext value={{ page: recordPage, starts: new Map(), setStart: () => {} }}>
        <Bases business={of} />
      </RecordPageContext>
    </DialogSlot>,
    { session: sessionOf({ permissions: ['drafts.read', 'drafts.write'] }) },
  )
}

test('the list of legal bases shows the form and its proof, what ended each one, and how to record an objection', async () => {
  const older = { ...basis, id: 'l2', form: 'unknown', language: null, agreedTo: null, recordingReference: null }
  const ended = { ...basis, id: 'l3', objectedAt: '2026-11-20T10:00:00.000Z' }
  fakeApi({ 'GET /businesses/b1/legal-bases': list([basis, older, ended]) })
  const opened: string[] = []
  const action = { id: 'record.block', label: 'Mark as do not contact', run: () => opened.push('block') }
  await renderBases({ ...business, doNotContact: null, status: 'active' } as Business, [action])
  const items = page.getByRole('list', { name: 'Legal bases, newest first' }).getByRole('listitem')
  for (const part of ['By telephone', 'Calls about windpumps.', 'Recorder 2, call 4711'])
    await expect.element(items.nth(0).getByText(part)).toBeVisible()
  await expect.element(items.nth(1).getByText(/^Form unknown: added before forms were recorded/)).toBeVisible()
  await expect.element(items.nth(2).getByText(/^Ended .*, when the prospect was marked do not contact$/)).toBeVisible()
  const withdraw = (at: number) => items.nth(at).getByRole('button', { name: 'Withdraw…' })
  await expect.element(withdraw(0)).toBeVisible()
  await expect.element(withdraw(2)).not.toBeInTheDocument()
  await userEvent.click(page.getByRole('button', { name: 'Mark as do not contact' }))
  expect(opened).toEqual(['block'])
})

test('nobody can add a legal basis to a prospect that is do not contact', async () => {
  fakeApi({ 'GET /businesses/b1/legal-bases': list([basis]) })
  const doNotContact = { at: '2026-11-20T10:00:00.000Z', by: ann, reason: 'They asked.', through: 'hand' }
  await renderBases({ ...business, doNotContact, status: 'active' } as unknown as Business, [])
  await expect.element(page.getByText(/so nobody can add a legal basis/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add a legal basis…' })).not.toBeInTheDocument()
})
