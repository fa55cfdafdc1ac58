import type { RegistryRegistration, RegistryRound, RegistryState } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { CleaningLine } from './cleaning-line.tsx'
import { RegistrationSettings } from './registration-settings.tsx'
import { RoundView } from './round-screen.tsx'
import { StartRoundDialog } from './start-round-dialog.tsx'

const session = sessionOf({ permissions: ['registry.read', 'registry.manage'] })
const ann = { kind: 'user' as const, id: 'user-1', name: 'Ann Mokoena' }
const counts = { lines: 9, hits: 5, alreadyBlocked: 1, unknown: 2, clear: 0, unreadable: 1, repeated: 0 }
const round = {
  id: 'r1',
  jobId: 'j1',
  state: 'awaiting_result',
  kinds: ['phone'],
  form: 'plain',
  states: [],
  columns: ['round', 'kind', 'value'],
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: ann,
  counts: { values: 1_200, leftOut: 3 },
  fileSha256: 'f'.repeat(64),
  file: {
    name: 'registry-round-r1.csv',
    bytes: 20,
    writtenAt: '2026-11-20T10:00:00.000Z',
    expiresAt: '2026-11-21T10:00:00.000Z',
    status: 'ready',
    manifest: { hash: 'none', salt: null },
  },
  result: {
    jobId: 'j2',
    bytes: 30,
    sha256: 'e'.repeat(64),
    phoneRegion: 'ZA',
    receivedAt: '2026-11-20T11:00:00.000Z',
    receivedBy: ann,
    status: 'ready',
    refusal: null,
    counts,
  },
  confirmation: null,
  outcome: null,
  closedAt: null,
  cancelledAt: null,
  cancelledBecause: null,
} satisfies RegistryRound

test('the counts of a result are shown, and its confirmation names exactly that result', async () => {
  const confirming = 'POST /registry-rounds/r1/confirmation'
  const { sentTo } = fakeApi({ [confirming]: json({ ...round, state: 'closed' }, 202) })
  await renderInApp(<RoundView round={round} />, { session })
  await expect.poll(() => document.body.textContent).toContain('5 values')
  await expect.element(page.getByText('2 values without a prospect')).toBeVisible()
  await page.getByRole('button', { name: 'Block the hits…' }).click()
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Listed by the registry.')
  await page.getByRole('button', { name: 'Block the hits', exact: true }).click()
  await expect
    .poll(() => sentTo(confirming).map(({ body }) => body))
    .toEqual([{ resultSha256: 'e'.repeat(64), phoneRegion: 'ZA', reason: 'Listed by the registry.' }])
})

test('a refused result shows its sentence, and a stopped run says how it continues', async () => {
  fakeApi()
  const refusal = 'Line 4 of this file is of another round. Upload the result of this round.'
  const refused = { ...round, result: { ...round.result, status: 'refused' as const, refusal, counts: null } }
  const confirmation = { jobId: 'j3', at: round.createdAt, by: ann, reason: 'Listed.', isStopped: true }
  const { show } = await renderInApp(<RoundView round={refused} />, { session })
  await expect.element(page.getByRole('alert')).toHaveTextContent(refusal)
  await expect.element(page.getByRole('button', { name: 'Block the hits…' })).not.toBeInTheDocument()
  show(<RoundView round={{ ...round, result: null, confirmation }} />)
  await expect.element(page.getByText(/The run stopped before its end/)).toBeVisible()
})

test('a round is started with its kinds, form and columns', async () => {
  const starting = 'POST /registry-rounds'
  const { sentTo } = fakeApi({ [starting]: json(round, 202) })
  await renderInApp(
    <DialogSlot>
      <StartRoundDialog close={() => {}} reopen={() => {}} />
    </DialogSlot>,
    { session },
  )
  await page.getByRole('checkbox', { name: 'Email addresses' }).click()
  await page.getByRole('radio', { name: /Salted fingerprints/ }).click()
  await page.getByRole('checkbox', { name: 'Kind of value' }).click()
  await page.getByRole('button', { name: 'Start round' }).click()
  await expect
    .poll(() => sentTo(starting).map(({ body }) => body))
    .toEqual([{ kinds: ['phone'], form: 'sha256', states: [], columns: ['round', 'value'] }])
})

const state: RegistryState = {
  cleanedAt: '2026-11-03T10:00:00.000Z',
  roundId: 'r1',
  kinds: ['phone'],
  dueAt: '2026-12-03T10:00:00.000Z',
  isDue: false,
  unchecked: 2,
  isUncheckedWhole: true,
  openRound: null,
  registration: { status: 'ends_soon', validUntil: '2026-12-10' },
}

test('the line above the list says when it was cleaned, what is not yet checked, and when the registration ends', async () => {
  fakeApi({ 'GET /registry-state': json(state) })
  await renderInApp(<CleaningLine />, { session })
  await expect
    .element(
      page.getByText(/Cleaned on 0?3 Nov 2026, due on 0?3 Dec 2026\. 2 prospects added since are not yet checked/),
    )
    .toBeVisible()
  await expect.element(page.getByText(/valid until 10 Dec 2026/)).toBeVisible()
})

test('a workspace that uses no registry has no line', async () => {
  const unused = {
    ...state,
    cleanedAt: null,
    dueAt: null,
    isDue: true,
    registration: { status: 'missing', validUntil: null },
  }
  const { sentTo } = fakeApi({ 'GET /registry-state': json(unused) })
  const { container } = await renderInApp(<CleaningLine />, { session })
  await expect.poll(() => sentTo('GET /registry-state').length).toBe(1)
  expect(container.textContent).not.toContain('registry')
})

test('the registration is saved with its last day, and not without it', async () => {
  const registration: RegistryRegistration = { number: null, validUntil: null, status: 'missing', version: 0 }
  const saving = 'PUT /registry-registration'
  const { sentTo } = fakeApi({
    'GET /registry-registration': json(registration),
    'GET /registry-state': json(state),
    [saving]: json({ number: 'DM 12', validUntil: '2027-04-14', status: 'valid', version: 1 }),
  })
  await renderInApp(<RegistrationSettings />, { session })
  await page.getByRole('textbox', { name: 'Number of the registration' }).fill('DM 12')
  await page.getByRole('button', { name: 'Save registration' }).click()
  await expect.element(page.getByText('Enter the last day on which the registration is valid.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Valid until/ }).fill('2027-04-14')
  await page.getByRole('button', { name: 'Save registration' }).click()
  await expect
    .poll(() => sentTo(saving).map(({ body, headers }) => [body, headers.get('if-match')]))
    .toEqual([[{ number: 'DM 12', validUntil: '2027-04-14' }, '"0"']])
})
