import type { Interaction } from '@prospect/api-client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { connectionLost, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { InteractionForm } from './interaction-form.tsx'

const session = sessionOf({ permissions: ['interactions.write', 'businesses.block', 'suppression.add'] })
const recording = 'POST /businesses/b1/opt-outs'
const phone = { kind: 'phone', value: '082 555 1018', normalized: '+27825551018' }
const items = [{ ...phone, label: null, refusal: null, isSuppressed: false, others: 0 }]
const recorded = {
  interaction: { id: 'i1', outcome: 'other' } as Interaction,
  business: { ...businessOf({ version: 2 }), suppressed: { added: 1, repeated: 0, marked: 0 } },
}

const form = (canOptOut: boolean) => (
  <InteractionForm
    businessId="b1"
    corrects={null}
    isBlocked={false}
    canOptOut={canOptOut}
    close={() => {}}
    reopen={() => {}}
  />
)

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('the outcome "Asked not to be contacted" records the interaction, the block and the values in one request', async () => {
  const { sentTo, sent } = fakeApi({
    'GET /businesses/b1/values-to-suppress': json({ items, isComplete: true }),
    [recording]: json(recorded, 201),
  })
  await renderInApp(form(true), { session })
  await page.getByRole('textbox', { name: 'Follow up on' }).fill('not a day')
  expect(sent).toEqual([])
  await page.getByRole('radio', { name: 'Asked not to be contacted' }).click()
  await expect.element(page.getByRole('checkbox', { name: '+27 82 555 1018' })).toBeChecked()
  await expect.element(page.getByRole('textbox', { name: 'Follow up on' })).not.toBeInTheDocument()
  const reason = page.getByRole('textbox', { name: 'Reason for the block' })
  await expect.element(reason).toHaveValue('Asked not to be contacted.')
  await userEvent.fill(reason, ' ')
  await page.getByRole('button', { name: 'Record and mark as do not contact' }).click()
  await expect.element(page.getByText('Enter a reason. The reason is stored with the record.')).toBeVisible()
  await userEvent.fill(reason, 'Magda said never again.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('marked do not contact. 1 value is blocked everywhere.')
  expect(sentTo(recording).map(({ body }) => body)).toEqual([
    {
      occurredAt: expect.any(String),
      channel: 'phone',
      summary: 'Magda said never again.',
      reason: 'Magda said never again.',
      alsoSuppress: [{ kind: 'phone', value: '082 555 1018' }],
      requestedBy: null,
    },
  ])
})

test('a retry after a lost response, also after a reload, sends the same values with the same key; after an invalid request the values are loaded again', async () => {
  const reading = 'GET /businesses/b1/values-to-suppress'
  const invalid = problem(400, 'invalid_request')
  const { sentTo, answer } = fakeApi({
    [reading]: json({ items, isComplete: true }),
    [recording]: [connectionLost, connectionLost, invalid, json(recorded, 201)],
  })
  const submit = page.getByRole('button', { name: 'Record and mark as do not contact' })
  const { unmount } = await renderInApp(form(true), { session })
  await page.getByRole('radio', { name: 'Asked not to be contacted' }).click()
  await expect.element(page.getByRole('checkbox', { name: '+27 82 555 1018' })).toBeChecked()
  await submit.click()
  await expect.poll(() => sentTo(recording)).toHaveLength(1)
  // The first request was saved, so the value is suppressed when the form loads it again.
  answer(reading, json({ items: items.map((item) => ({ ...item, isSuppressed: true })), isComplete: true }))
  await unmount()
  await renderInApp(form(true), { session })
  await expect.element(page.getByRole('checkbox', { name: '+27 82 555 1018' })).toBeDisabled()
  for (const requests of [2, 3, 4]) {
    await submit.click()
    await expect.poll(() => sentTo(recording)).toHaveLength(requests)
    await expect.element(submit).toBeEnabled()
  }
  const sent = sentTo(recording)
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect(sent.map(({ body }) => body)).toMatchObject([
    ...[1, 2, 3].map(() => ({ alsoSuppress: [{ kind: 'phone', value: '082 555 1018' }] })),
    { alsoSuppress: [] },
  ])
  expect(sent[1]?.body).toEqual(sent[0]?.body)
})

test('the outcome is not offered where the prospect cannot be blocked', async () => {
  fakeApi()
  await renderInApp(form(false), { session })
  await expect.element(page.getByRole('radio', { name: 'No answer' })).toBeVisible()
  expect(page.getByRole('radio', { name: 'Asked not to be contacted' }).elements()).toEqual([])
  await page.getByRole('button', { name: 'Other…' }).click()
  await page.getByRole('combobox', { name: 'Outcome' }).click()
  await expect.element(page.getByRole('option', { name: 'No answer' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'Asked not to be contacted' })).not.toBeInTheDocument()
})
