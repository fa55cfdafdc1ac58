import type { Person } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { type Answer, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { personOf } from '../../../test/person.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { RecordPageContext } from '../../ui/rooms/record-page.ts'
import { PeoplePart } from './people-part.tsx'
import { AddPersonDialog } from './person-dialog.tsx'

const reading = 'GET /businesses/b1/people'
const posting = 'POST /businesses/b1/people'
const list = (items: unknown[]) =>
  json({ items, page: { limit: 200, returned: items.length, nextCursor: null, total: null } })
const session = sessionOf({ permissions: ['people.read', 'people.write', 'suppression.add'] })
const phone = {
  value: '082 555 0142',
  label: 'Mobile',
  region: 'ZA',
  normalized: '+27825550142',
  uncertainty: null,
  isOfBusiness: false,
  isSuppressed: false,
}
const thandi = personOf({ role: 'Buyer', note: 'Mornings.', phones: [phone] })
const recordPage = { actions: [], openTab: () => {}, openForm: () => {}, openDialog: () => {} }
const part = (
  <RecordPageContext value={{ page: recordPage, starts: new Map(), setStart: () => {} }}>
    <PeoplePart business={businessOf()} />
  </RecordPageContext>
)

const adding = (
  <DialogSlot>
    <AddPersonDialog business={businessOf()} close={() => {}} reopen={() => {}} />
  </DialogSlot>
)

test('people are listed with role, values and note, and those who left or are blocked are marked', async () => {
  const gone = personOf({
    id: 'p2',
    name: 'Anna',
    leftOn: '2026-11-20',
    doNotContact: { through: 'hand', byHand: { at: '2026-11-20T08:00:00.000Z', by: thandi.createdBy, reason: 'No.' } },
  })
  fakeApi({ [reading]: list([gone, thandi]) })
  await renderInApp(part, { session })
  const items = page.getByRole('list', { name: 'People, those who left last' }).getByRole('listitem')
  await expect.element(items.nth(0)).toMatchTextContent(/Thandi Nkosi.*Buyer.*\+27 82 555 0142 \(Mobile\).*Mornings\./)
  await expect.element(items.nth(1)).toMatchTextContent(/Anna.*Do not contact.*Left 20 Nov 2026/)
  await expect.element(page.getByRole('button', { name: 'Do not contact… Thandi Nkosi' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Do not contact… Anna' }).elements()).toEqual([])
})

test('a reader sees people without buttons', async () => {
  fakeApi({ [reading]: list([thandi]) })
  await renderInApp(part, { session: sessionOf({ permissions: ['people.read'] }) })
  await expect.element(page.getByText('Thandi Nkosi')).toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})

test('a person is added by keyboard, and a value of another prospect is refused at its list', async () => {
  const message = 'This address belongs to another prospect.'
  const errors = [{ path: 'emails.0.value', code: 'of_another_prospect', message }]
  const { sentTo } = fakeApi({ [posting]: [problem(400, 'invalid_request', { errors }), json(thandi, 201)] })
  await renderInApp(adding, { session })
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await userEvent.keyboard('Thandi Nkosi{Tab}Buyer{Tab}a@b.co.za{Enter}{Tab}082 555 0142{Control>}{Enter}{/Control}')
  await expect.element(page.getByText(message)).toBeVisible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Thandi Nkosi added.')
  expect(sentTo(posting)[1]?.body).toEqual({
    name: 'Thandi Nkosi',
    role: 'Buyer',
    language: null,
    note: null,
    emails: [{ value: 'a@b.co.za', label: null }],
    phones: [{ value: '082 555 0142', label: null, region: 'ZA' }],
  })
})

test('a number is no name, and nothing is sent', async () => {
  const { sentTo } = fakeApi({})
  await renderInApp(adding, { session })
  await userEvent.keyboard('082 555 0142')
  await page.getByRole('button', { name: 'Add person' }).click()
  await expect.element(page.getByText('Enter a name with letters.')).toBeVisible()
  expect(sentTo(posting)).toEqual([])
})

test('marking a person sends the reason and the chosen values with their channel', async () => {
  const blocking = 'POST /people/p1/do-not-contact'
  const own = { kind: 'phone', value: phone.value, label: null, normalized: phone.normalized, refusal: null }
  const values = [
    { ...own, isSuppressed: false, others: 0 },
    { ...own, value: '021 555 0101', normalized: '+27215550101', isSuppressed: false, others: 0 },
  ]
  const { sentTo } = fakeApi({
    [reading]: list([thandi]),
    'GET /businesses/b1/values-to-suppress': json({ items: values, isComplete: true }),
    [blocking]: json(thandi),
  })
  await renderInApp(part, { session })
  await page.getByRole('button', { name: 'Do not contact… Thandi Nkosi' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('checkbox')).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('She asked.')
  await dialog.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect.element(dialog.getByText('Choose how the request was received.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: 'Phone call' }).click()
  await dialog.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sentTo(blocking)[0]?.body).toEqual({
    reason: 'She asked.',
    alsoSuppress: [{ kind: 'phone', value: '082 555 0142' }],
    channel: 'phone',
    requestedBy: null,
  })
})

test('two alike people are shown side by side, joined with the values of both, and separated again', async () => {
  const joining = 'PUT /people/p1/join'
  const separating = 'POST /people/p2/separation'
  const other = personOf({
    id: 'p2',
    version: 3,
    name: 'T. Nkosi',
    note: 'Afternoons.',
    phones: [phone, { ...phone, value: '021 555 0101', label: null, normalized: '+27215550101' }],
    alike: [{ id: 'p1', because: ['phone'] }],
  })
  const kept = personOf({ ...thandi, note: null, alike: [{ id: 'p2', because: ['phone'] }] })
  let now = [kept, other]
  const after = (people: Person[], answer: Person): Answer => {
    return (request) => {
      now = people
      return json(answer)(request)
    }
  }
  const { sentTo } = fakeApi({
    [reading]: (request) => list(now)(request),
    [joining]: after([kept, { ...other, joinedIntoId: 'p1' }], kept),
    [separating]: after([kept, other], other),
  })
  await renderInApp(part, { session })
  await expect.element(page.getByText('same number as T. Nkosi')).toBeVisible()
  await page.getByRole('button', { name: 'Join… Thandi Nkosi' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('combobox', { name: 'Same person as' })).toHaveFocus()
  const both = dialog.getByRole('table', { name: 'Both people' })
  await expect.element(both).toMatchTextContent(/Thandi Nkosi.*T\. Nkosi.*Role.*Buyer.*Note.*Afternoons\./)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sentTo(joining)[0]?.body).toEqual({
    with: 'p2',
    withVersion: 3,
    name: 'Thandi Nkosi',
    role: 'Buyer',
    language: null,
    note: 'Afternoons.',
    emails: [],
    phones: [
      { value: '082 555 0142', label: 'Mobile', region: 'ZA' },
      { value: '021 555 0101', label: null, region: 'ZA' },
    ],
  })
  await expect.element(page.getByRole('listitem')).toMatchTextContent(/Thandi Nkosi.*Joined with T\. Nkosi/)
  await page.getByRole('button', { name: 'Separate… T. Nkosi' }).click()
  await dialog.getByRole('button', { name: 'Separate' }).click()
  await expect.element(page.getByRole('button', { name: 'Join… T. Nkosi' })).toBeVisible()
  expect(sentTo(separating)).toHaveLength(1)
})

test('a person is erased with a reason and the typed name, and then has no buttons', async () => {
  const erasing = 'POST /people/p1/erasure'
  const gone = personOf({ name: 'Erased.', erasedAt: '2026-11-30T08:00:00.000Z' })
  let now = [thandi]
  const { sentTo } = fakeApi({
    [reading]: (request) => list(now)(request),
    [erasing]: (request) => {
      now = [gone]
      return json(gone)(request)
    },
  })
  const permissions = ['people.read', 'people.write', 'erasure.erase'] as const
  await renderInApp(part, { session: sessionOf({ permissions: [...permissions] }) })
  await page.getByRole('button', { name: 'Erase… Thandi Nkosi' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Section 24.')
  await dialog.getByRole('button', { name: 'Erase permanently' }).click()
  await expect.element(dialog.getByText('The name does not match.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name of the person' }).fill('Thandi Nkosi')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sentTo(erasing)[0]?.body).toEqual({ reason: 'Section 24.', suppress: false })
  await expect.element(page.getByRole('listitem')).toMatchTextContent('Erased.')
  expect(page.getByRole('listitem').getByRole('button').elements()).toEqual([])
})
