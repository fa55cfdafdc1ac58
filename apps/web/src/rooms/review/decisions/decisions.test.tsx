import type { Business, ReviewOpening } from '@prospect/api-client'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { DialogSlot } from '../../../ui/dialogs/dialog-slot.tsx'
import { DeferDialog } from './defer-dialog.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { VerifyDialog } from './verify-dialog.tsx'

const address = {
  ...{ street: null, suburb: null, city: 'Cradock', province: null, postalCode: null, country: null },
}
const business = {
  ...{ id: 'biz-1', name: 'Karoo Windpumps', tradingName: null, registrationNumber: null, industry: 'Farming' },
  ...{ emails: [], phones: [], domains: [], address },
} as unknown as Business
const opening: ReviewOpening = {
  ...{ businessId: 'biz-1', fingerprint: '7.abc', stillMatches: null, mergeEligible: true, doNotContact: false },
  reviewState: { state: 'unreviewed', isDue: true, decidedAt: null, dueFrom: null },
  contradictedFields: ['industry'],
  otherSpellings: [
    {
      field: 'industry',
      value: 'Bakery',
      claimed: 'Butchery',
      agreement: 'different',
      agreementReason: null,
    },
    {
      field: 'name',
      value: 'Karoo Windpumps',
      claimed: 'Karoo Windpumps (Pty) Ltd',
      agreement: 'compatible',
      agreementReason: 'legal_form_missing',
    },
  ],
  claim: null,
}
const reviewer = sessionOf({ permissions: ['review.read', 'review.decide'] })
const opened = 'POST /businesses/biz-1/review-openings'
const sent = 'POST /businesses/biz-1/reviews'
afterEach(() => vi.useRealTimers())

const props = { business, close: () => undefined, reopen: () => undefined }

test('a decision sends the fingerprint of the opened record and the checked facts; a contradicted fact cannot be checked', async () => {
  const api = fakeApi({ [opened]: json(opening), [sent]: json({ id: 'review-1' }, 201) })
  await renderInApp(
    <DialogSlot>
      <VerifyDialog {...props} />
    </DialogSlot>,
    { session: reviewer },
  )
  await expect.element(page.getByRole('checkbox', { name: /evidence contradicts it/ })).toBeDisabled()
  await expect.element(page.getByText('Evidence says Butchery (contradicts)')).toBeVisible()
  const other = 'Evidence says Karoo Windpumps (Pty) Ltd (agrees, one of the two without the legal form)'
  await expect.element(page.getByText(other)).toBeVisible()
  await page.getByRole('checkbox', { name: /^City/ }).click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(sent)[0]?.body)
    .toEqual({
      ...{ decision: 'verify', checkedFields: ['address.city'], reason: null, fingerprint: '7.abc' },
    })
})

test('a do-not-contact prospect cannot be verified, and the dialog explains it', async () => {
  fakeApi({ [opened]: json({ ...opening, doNotContact: true }) })
  await renderInApp(
    <DialogSlot>
      <VerifyDialog {...props} />
    </DialogSlot>,
    { session: reviewer },
  )
  await expect.element(page.getByText(/is marked do not contact, so you cannot verify the prospect/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Verify' })).toBeDisabled()
})

test('a record that changed after opening shows the changes and is opened again, and the form stays', async () => {
  const errors = [{ path: 'fingerprint', code: 'business.edit', message: 'Edited · industry' }]
  const api = fakeApi({
    [opened]: [json(opening), json({ ...opening, fingerprint: '9.def' })],
    [sent]: [
      problem(409, 'review_outdated', { detail: 'This record changed since you opened it.', errors }),
      json({ id: 'review-1' }, 201),
    ],
  })
  await renderInApp(
    <DialogSlot>
      <RejectDialog {...props} />
    </DialogSlot>,
    { session: reviewer },
  )
  await page.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Closed' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect.element(page.getByText(/This record changed since you opened it. Edited · industry/)).toBeVisible()
  await expect.poll(() => api.sentTo(opened)).toHaveLength(2)
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect.poll(() => api.sentTo(sent)[1]?.body).toMatchObject({ reasonCode: 'closed', fingerprint: '9.def' })
})

test('a review is deferred to the next weekday that is typed, and not to a day that has passed', async () => {
  // A Thursday. Only the date is faked, so timers run.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T10:00:00Z') })
  const api = fakeApi({ [opened]: json(opening), [sent]: json({ id: 'review-1' }, 201) })
  await renderInApp(
    <DialogSlot>
      <DeferDialog {...props} />
    </DialogSlot>,
    { session: reviewer },
  )
  const until = page.getByRole('textbox', { name: 'Until' })
  await until.fill('yesterday')
  await page.getByRole('button', { name: 'Defer' }).click()
  await expect.element(until).toHaveAccessibleDescription(/This date is in the past\. Choose today or later\./)
  await until.fill('monday')
  await page.getByRole('button', { name: 'Defer' }).click()
  await expect.poll(() => api.sentTo(sent)[0]?.body).toMatchObject({ decision: 'defer', until: '2026-11-30' })
})
