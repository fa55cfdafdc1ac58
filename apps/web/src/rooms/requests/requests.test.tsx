import type { Holding, ListedSubjectRequest, SubjectRequest } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { type Answer, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { AddRequestDialog } from './add-request-dialog.tsx'
import { HoldingDialog, ValueHoldingDialog } from './holding-dialog.tsx'
import { RequestView } from './request-screen.tsx'
import { requestQuery } from './requests.queries.ts'
import { RequestsScreen } from './requests-screen.tsx'

const session = sessionOf({
  permissions: [
    'requests.read',
    'requests.manage',
    'holdings.create',
    'businesses.write',
    'businesses.block',
    'erasure.erase',
  ],
})
const ann = { kind: 'user' as const, id: 'user-1', name: 'Ann Mokoena' }
const act = {
  eventId: 'e1',
  at: '2026-11-10T10:00:00.000Z',
  actor: ann,
  action: 'business.block',
  label: 'Do not contact',
}

const listed: ListedSubjectRequest = {
  id: 'r1',
  version: 1,
  kind: 'objection',
  receivedAt: '2026-11-02T08:00:00.000Z',
  dueOn: '2026-12-02',
  status: 'open',
  requester: { name: 'Thandi Nkosi', contact: '082 123 4567', contactKind: 'phone' },
  identityCheck: null,
  business: { id: 'b1', name: 'Karoo Solar', isErased: false },
  extension: null,
  answer: null,
  emptiedAt: null,
  createdAt: '2026-11-02T09:00:00.000Z',
  createdBy: ann,
}
const requestOf = (more: Partial<SubjectRequest> = {}): SubjectRequest => ({
  ...listed,
  acts: [],
  foundActs: [],
  ...more,
})

const reading = 'GET /subject-requests/r1'
const listing = 'GET /subject-requests'
const pageOf = (items: unknown[]) =>
  json({
    items,
    page: { limit: 50, returned: items.length, nextCursor: null, total: { value: items.length, isExact: true } },
  })
const answers: Record<string, Answer> = { 'GET /businesses/b1': json(businessOf()) }

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const show = (request: SubjectRequest, openDialog: (businessId: string, dialog: string) => void = () => {}) => (
  <RequestView request={request} openDialog={openDialog} />
)

/** The page of the request that the server returns. */
function Loaded() {
  const { data } = useQuery(requestQuery('r1'))
  return data === undefined ? null : show(data)
}

/** A dialog that opens again after Cancel and Undo. */
function Reopened({ Content }: { Content: typeof AddRequestDialog }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <DialogSlot>{isOpen && <Content close={() => setOpen(false)} reopen={() => setOpen(true)} />}</DialogSlot>
    </>
  )
}

test('the list shows who asks, for what, and by when it is answered', async () => {
  const rows = [
    listed,
    { ...listed, id: 'r2', kind: 'erasure', status: 'overdue', dueOn: '2026-11-20', emptiedAt: '2026-11-21T08:00:00Z' },
  ]
  fakeApi({ [listing]: pageOf(rows) })
  await renderInApp(<RequestsScreen />, { session, path: '/subject-requests' })
  await expect.element(page.getByRole('link', { name: 'Thandi Nkosi' })).toBeVisible()
  await expect.element(page.getByText('Objection to contact')).toBeVisible()
  await expect.element(page.getByText(/^Due on 0?2 Dec 2026$/)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Name deleted' })).toBeVisible()
  await expect.element(page.getByText(/^Overdue since 20 Nov 2026$/)).toBeVisible()
})

test('an empty list says what to enter, and a reader is offered no action', async () => {
  fakeApi({ [listing]: pageOf([]) })
  await renderInApp(<RequestsScreen />, {
    session: sessionOf({ permissions: ['requests.read'] }),
    path: '/subject-requests',
  })
  await expect.element(page.getByText('No open requests')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Enter request' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^Everything held/ })).not.toBeInTheDocument()
})

test('errors of a new request are beside their fields, and the typed text survives Escape and a failed save', async () => {
  await page.viewport(390, 844)
  const adding = 'POST /subject-requests'
  const refused = problem(400, 'invalid_request', {
    errors: [{ path: 'businessId', code: 'erased', message: 'This prospect was erased.' }],
  })
  const { sentTo } = fakeApi({
    ...answers,
    'GET /businesses': pageOf([]),
    [adding]: [problem(503, 'unavailable'), refused, json(requestOf(), 201)],
    [listing]: pageOf([]),
  })
  await renderInApp(<Reopened Content={AddRequestDialog} />, { session })
  const name = page.getByRole('textbox', { name: /^Who asks/ })
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Enter who asks.')).toBeVisible()
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard('Thandi Nkosi{Tab}082 123 4567')
  const received = page.getByRole('textbox', { name: /^Received on/ })
  await received.fill('2999-01-01')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('This day is in the future.')).toBeVisible()
  await received.fill('2026-11-02')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Open' }).click()
  await expect.element(name).toHaveValue('Thandi Nkosi')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  const send = page.getByRole('button', { name: 'Enter request' })
  await send.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await send.click()
  await expect.element(page.getByText('This prospect was erased.')).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Prospect' })).toHaveAttribute('aria-invalid', 'true')
  await expect.element(name).toHaveValue('Thandi Nkosi')
  await send.click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(sentTo(adding).at(-1)?.body).toEqual({
    kind: 'access',
    receivedAt: '2026-11-01T22:00:00.000Z',
    requester: { name: 'Thandi Nkosi', contact: '082 123 4567' },
    identityCheck: null,
    businessId: null,
  })
})

test('the check of the identity and the prospect are entered later, for the version that the person read', async () => {
  const editing = 'PATCH /subject-requests/r1'
  const { sentTo } = fakeApi({
    'GET /businesses': pageOf([{ id: 'b2', name: 'Tembisa Tyres', city: null, doNotContact: false }]),
    'GET /businesses/b2': json(businessOf({ id: 'b2', name: 'Tembisa Tyres' })),
    [editing]: json(requestOf({ version: 4 })),
  })
  await renderInApp(show(requestOf({ version: 3, business: null })), { session })
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the request' })
  await expect.element(dialog).toBeVisible()
  await page.getByRole('textbox', { name: /^How you checked/ }).fill('Called back.')
  await page.getByRole('combobox', { name: 'Prospect' }).fill('Tembisa')
  await page.getByRole('option', { name: 'Tembisa Tyres' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sentTo(editing).map(({ body, headers }) => [body, headers.get('if-match')])).toEqual([
    [{ identityCheck: 'Called back.', businessId: 'b2' }, '"3"'],
  ])
})

test('a colleague who changed the same field first is shown, and nothing is overwritten before the choice', async () => {
  const editing = 'PATCH /subject-requests/r1'
  const theirs = requestOf({ version: 2, identityCheck: 'Passport.' })
  const { sentTo } = fakeApi({
    ...answers,
    'GET /businesses': pageOf([]),
    [reading]: [json(requestOf()), json(theirs)],
    [editing]: [problem(412, 'version_conflict'), json(requestOf({ version: 3 }))],
  })
  await renderInApp(<Loaded />, { session })
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByRole('textbox', { name: /^How you checked/ }).fill('Called back.')
  await page.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('radiogroup', { name: 'How you checked who the person is' })
  await expect.element(conflict).toMatchTextContent('Passport.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText(/^Someone else changed the same field/)).toBeVisible()
  expect(sentTo(editing)).toHaveLength(1)
  await conflict.getByRole('radio', { name: 'Yours Called back.' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sentTo(editing).map(({ headers }) => headers.get('if-match'))).toEqual(['"1"', '"2"'])
})

test('the dialog of a new due day names the possible days, and shows the refusal beside the field', async () => {
  const extending = 'POST /subject-requests/r1/extension'
  const { sentTo } = fakeApi({
    ...answers,
    [extending]: problem(400, 'invalid_request', {
      errors: [{ path: 'dueOn', code: 'too_late', message: 'Choose a day until 2026-12-20.' }],
    }),
  })
  await renderInApp(show(requestOf()), { session })
  await page.getByRole('button', { name: 'Extend…' }).click()
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect.element(page.getByText(/^Enter a date, such as/)).toBeVisible()
  await expect.element(page.getByText('Enter a reason. The person is told this reason.')).toBeVisible()
  const day = page.getByRole('textbox', { name: /^Answer by/ })
  await day.fill('2027-01-02')
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Paper files.')
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect.element(page.getByText(/^Choose a day between 0?3 Dec 2026 and 0?1 Jan 2027\.$/)).toBeVisible()
  await day.fill('2027-01-01')
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await expect.element(page.getByText(/^Choose a day until/)).toBeVisible()
  expect(sentTo(extending).map(({ body }) => body)).toEqual([{ dueOn: '2027-01-01', reason: 'Paper files.' }])
  await expect.element(page.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Paper files.')
})

test('the answer has an outcome that the person chose, and names only steps that they selected', async () => {
  const answering = 'POST /subject-requests/r1/answer'
  const { sentTo } = fakeApi({ ...answers, [answering]: json(requestOf({ status: 'answered' })) })
  await renderInApp(show(requestOf({ foundActs: [act] })), { session })
  await page.getByRole('button', { name: 'Record answer…' }).click()
  const send = page.getByRole('button', { name: 'Record answer', exact: true })
  await send.click()
  await expect.element(page.getByText('Choose the outcome.')).toBeVisible()
  await expect.element(page.getByText('Enter how you answered.')).toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: /^Do not contact/ })).not.toBeChecked()
  await page.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Granted', exact: true }).click()
  await page.getByRole('textbox', { name: /^How you answered/ }).fill('By phone.')
  await page.getByRole('checkbox', { name: /^Do not contact/ }).click()
  await send.click()
  await expect
    .poll(() => sentTo(answering).map(({ body }) => body))
    .toEqual([{ outcome: 'granted', how: 'By phone.', acts: ['e1'] }])
})

test('each kind of request offers the places where it is carried out', async () => {
  fakeApi(answers)
  const openDialog = vi.fn()
  const { show: next } = await renderInApp(show(requestOf(), openDialog), { session })
  await page.getByRole('button', { name: 'Mark as do not contact…' }).click()
  expect(openDialog.mock.lastCall).toEqual(['b1', 'block'])
  await expect
    .element(page.getByRole('link', { name: 'Find the contact on the do-not-contact list' }))
    .toHaveAttribute('href', '/suppression?q=082+123+4567')
  next(show(requestOf({ kind: 'correction' })))
  await expect
    .element(page.getByRole('link', { name: 'Edit the prospect' }))
    .toHaveAttribute('href', '/prospects/b1?tab=edit')
  await expect
    .element(page.getByRole('link', { name: 'Evidence of the prospect' }))
    .toHaveAttribute('href', '/prospects/b1?tab=evidence')
  next(show(requestOf({ kind: 'erasure' }), openDialog))
  await page.getByRole('button', { name: 'Erase permanently…' }).click()
  expect(openDialog.mock.lastCall).toEqual(['b1', 'erase'])
  next(show(requestOf({ kind: 'erasure', business: null })))
  await page.getByRole('button', { name: 'Choose the prospect…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit the request' })).toBeVisible()
})

test('a person who cannot erase is told whom to ask, and an emptied request says what was deleted', async () => {
  fakeApi(answers)
  const manager = sessionOf({ permissions: ['requests.read', 'requests.manage'] })
  const { show: next } = await renderInApp(show(requestOf({ kind: 'erasure' })), { session: manager })
  await expect.element(page.getByText(/^Ask an administrator to erase the prospect/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Erase permanently…' })).not.toBeInTheDocument()
  const emptied = requestOf({
    kind: 'erasure',
    status: 'answered',
    requester: { name: 'Erased.', contact: null, contactKind: null },
    identityCheck: 'Erased.',
    business: { id: 'b1', name: 'Erased record', isErased: true },
    emptiedAt: '2026-11-12T10:00:00.000Z',
    answer: { at: '2026-11-13T10:00:00.000Z', by: ann, outcome: 'granted', how: 'By letter.' },
    acts: [{ ...act, label: 'Erased' }],
  })
  next(show(emptied))
  await expect.element(page.getByRole('heading', { name: 'Erasure of their data: Name deleted' })).toBeVisible()
  await expect.element(page.getByText(/The name, the contact and the texts were deleted on/)).toBeVisible()
  // The answer was entered after the deletion.
  await expect.element(page.getByText('By letter.')).toBeVisible()
  await expect.element(page.getByText('Erased.', { exact: true })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Edit…' })).not.toBeInTheDocument()
})

const holding: Holding = {
  id: 'h1',
  jobId: 'j1',
  status: 'ready',
  subject: { businessId: null, kind: 'phone', value: '082 123 4567' },
  file: {
    records: 1,
    rows: 2,
    leftOut: ['Scores'],
    jsonBytes: 1,
    jsonSha256: 'a',
    htmlBytes: 1,
    htmlSha256: 'b',
    writtenAt: '2026-11-20T10:00:00.000Z',
    expiresAt: '2026-11-21T10:00:00.000Z',
  },
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: ann,
}
const collecting = 'POST /holdings'

test('the contact of a request without a prospect is collected as a value of the country of the workspace', async () => {
  const { sentTo } = fakeApi({
    [collecting]: json(holding, 202),
    'GET /holdings/h1': json(holding),
    [listing]: pageOf([]),
  })
  await renderInApp(show(requestOf({ kind: 'source', business: null })), { session })
  await expect.element(page.getByRole('button', { name: 'About the prospect…' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'About the contact…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Everything held about 082 123 4567' })).toBeVisible()
  await page.getByRole('button', { name: 'Collect', exact: true }).click()
  await expect.element(page.getByText('The file is ready.')).toBeVisible()
  await expect.element(page.getByText(/2 entries from 1 prospect/)).toBeVisible()
  await expect.element(page.getByText(/your role cannot see them: Scores/)).toBeVisible()
  expect(sentTo(collecting).map(({ body }) => body)).toEqual([{ kind: 'phone', value: '082 123 4567', region: 'ZA' }])
})

test('a typed value is collected by keyboard alone, with the error beside its field', async () => {
  await page.viewport(390, 844)
  const unreadable = { path: 'value', code: 'unreadable', message: 'This value cannot be read.' }
  const { sentTo } = fakeApi({
    [collecting]: [problem(400, 'invalid_request', { errors: [unreadable] }), json(holding, 202)],
    'GET /holdings/h1': json(holding),
  })
  await renderInApp(<Reopened Content={ValueHoldingDialog} />, { session })
  const value = page.getByRole('textbox', { name: /^Email address/ })
  await expect.element(value).toHaveFocus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Enter the email address.')).toBeVisible()
  await userEvent.keyboard('thandi@nkosi{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('This value cannot be read.')).toBeVisible()
  await expect.element(value).toHaveFocus()
  await userEvent.keyboard('.example{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('The file is ready.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Close' }).last()).toHaveFocus()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(sentTo(collecting).map(({ body }) => body)).toEqual([
    { kind: 'email', value: 'thandi@nkosi' },
    { kind: 'email', value: 'thandi@nkosi.example' },
  ])
})

test('a collection that failed says why, and a refused download is shown', async () => {
  const failed = { ...holding, status: 'failed' as const, file: null }
  fakeApi({
    [collecting]: [json(failed, 202), json({ ...holding, id: 'h2' }, 202)],
    'GET /holdings/h1': json(failed),
    'GET /jobs/j1': json({ id: 'j1', error: { message: 'More than 100 records have this value.' } }),
    'GET /holdings/h2': json({ ...holding, id: 'h2' }),
    'GET /holdings/h2/file': problem(410, 'holding_gone', { detail: 'This file has expired. Collect it again.' }),
  })
  const dialog = (
    <DialogSlot>
      <HoldingDialog about={{ businessId: 'b1' }} name="Karoo Solar" close={() => {}} />
    </DialogSlot>
  )
  const { show: next } = await renderInApp(dialog, { session })
  await page.getByRole('button', { name: 'Collect', exact: true }).click()
  await expect.element(page.getByText('The file was not written.')).toBeVisible()
  await expect.element(page.getByText('More than 100 records have this value.')).toBeVisible()
  next(null)
  next(<div key="again">{dialog}</div>)
  await page.getByRole('button', { name: 'Collect', exact: true }).click()
  await page.getByRole('button', { name: 'Download to read' }).click()
  await expect.element(page.getByText('This file has expired. Collect it again.')).toBeVisible()
})
