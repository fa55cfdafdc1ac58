import type { Business, DraftPolicyProposal } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { AddBasisDialog } from './add-basis-dialog.tsx'
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
        recipient: { kind: 'email', value: 'info@karoo.example' },
        documentReference: null,
        evidenceId: 'e1',
        jurisdiction: 'za',
      },
    ])
})
