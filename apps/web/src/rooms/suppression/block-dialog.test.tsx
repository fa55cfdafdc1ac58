import type { ValuesToSuppress } from '@prospect/api-client'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { BlockDialog } from './block-dialog.tsx'

const session = sessionOf({ permissions: ['businesses.block', 'suppression.add'] })
const block = { at: '2026-11-20T10:00:00.000Z', by: { kind: 'user' as const, id: 'user-1', name: 'Ann' } }
const reading = 'GET /businesses/b1/values-to-suppress'
const blocking = 'POST /businesses/b1/do-not-contact'
const value = { label: null, refusal: null, isSuppressed: false, others: 0 }
const items: ValuesToSuppress['items'] = [
  { ...value, kind: 'email', value: 'Magda@steyn.co.za', normalized: 'magda@steyn.co.za', label: 'Magda' },
  { ...value, kind: 'email', value: 'old@steyn.co.za', normalized: 'old@steyn.co.za', isSuppressed: true },
  { ...value, kind: 'phone', value: '082 555 1018', normalized: '+27825551018', others: 2 },
  { ...value, kind: 'phone', value: '+2782555101', normalized: null, refusal: 'A digit is missing.' },
  { ...value, kind: 'domain', value: 'steyn.co.za', normalized: 'steyn.co.za' },
]
const values = json({ items, isComplete: true })
const blocked = (suppressed?: object) =>
  json({
    ...businessOf({ version: 2, doNotContact: { ...block, reason: 'Magda said no.', through: 'both' } }),
    ...(suppressed !== undefined && { suppressed }),
  })

function Opened({ business = businessOf() }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <DialogSlot>
      {isOpen && <BlockDialog business={business} close={() => setOpen(false)} reopen={() => setOpen(true)} />}
    </DialogSlot>
  )
}

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('addresses and phones are selected, the domain is not; by keyboard alone one confirmation blocks all of it', async () => {
  await page.viewport(390, 844)
  const { sentTo } = fakeApi({ [reading]: values, [blocking]: blocked({ added: 2, repeated: 0, marked: 2 }) })
  await renderInApp(<Opened />, { session })
  const group = page.getByRole('group', { name: 'Also block these values everywhere' })
  await expect.element(group).toBeVisible()
  const boxes = group.getByRole('checkbox').elements() as HTMLInputElement[]
  expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, false],
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])
  await expect.element(group).toMatchTextContent('Email, Magda')
  await expect.element(group).toMatchTextContent('Already on the do-not-contact list')
  await expect.element(group).toMatchTextContent('Also blocks 2 other prospects')
  await expect.element(group).toMatchTextContent('A digit is missing.')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)

  await userEvent.keyboard('Magda said no.{Tab}')
  const first = page.getByRole('checkbox', { name: 'magda@steyn.co.za' })
  await expect.element(first).toHaveFocus()
  await userEvent.keyboard(' ')
  await expect.element(first).not.toBeChecked()
  await userEvent.keyboard(' ')
  // The channel is evidence, so it has no default.
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Choose how the request was received.')).toBeVisible()
  const channel = page.getByRole('combobox', { name: 'Received by' })
  await expect.element(channel).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  // The second arrow moves only once the options are in the page.
  await expect.element(page.getByRole('option', { name: 'Phone call' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(channel).toHaveValue('Phone call')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Karoo Solar marked do not contact. 2 values are blocked everywhere. 2 other prospects are now marked do not contact.',
    )
  expect(sentTo(blocking).map(({ body }) => body)).toEqual([
    {
      reason: 'Magda said no.',
      alsoSuppress: [
        { kind: 'email', value: 'Magda@steyn.co.za' },
        { kind: 'phone', value: '082 555 1018' },
      ],
      channel: 'phone',
      requestedBy: null,
    },
  ])
})

test('without a selected value the block needs no channel, and a selected domain includes everything below it', async () => {
  const { sentTo } = fakeApi({ [reading]: values, [blocking]: [problem(503, 'unavailable'), blocked()] })
  await renderInApp(<Opened />, { session })
  await page.getByRole('textbox', { name: 'Reason' }).fill('Magda said no.')
  await page.getByRole('checkbox', { name: 'magda@steyn.co.za' }).click()
  await page.getByRole('checkbox', { name: '+27 82 555 1018' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Received by' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect.poll(() => sentTo(blocking).map(({ body }) => body)).toEqual([{ reason: 'Magda said no.' }])
  await page.getByRole('checkbox', { name: 'steyn.co.za', exact: true }).click()
  await page.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: 'Letter' }).click()
  await page.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect
    .poll(() => sentTo(blocking)[1]?.body)
    .toMatchObject({
      alsoSuppress: [{ kind: 'domain', value: 'steyn.co.za', scope: 'with_subdomains' }],
      channel: 'letter',
    })
})

test('the block is possible if the values cannot be loaded, and says that it covers this record only', async () => {
  const { sentTo } = fakeApi({ [reading]: [problem(503, 'unavailable')], [blocking]: blocked() })
  await renderInApp(<Opened />, { session })
  await expect.element(page.getByText(/so you can block only this record/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Magda said no.')
  await page.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect.poll(() => sentTo(blocking).map(({ body }) => body)).toEqual([{ reason: 'Magda said no.' }])
})

test('for a marked record the dialog blocks the values only, and needs at least one', async () => {
  const marked = businessOf({ doNotContact: { ...block, reason: 'Earlier.', through: 'hand' } })
  fakeApi({ [reading]: json({ items: items.slice(4), isComplete: true }) })
  await renderInApp(<Opened business={marked} />, { session })
  await expect.element(page.getByRole('dialog', { name: 'Block the values of Karoo Solar everywhere?' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Magda said no.')
  await page.getByRole('button', { name: 'Block its values' }).click()
  await expect.element(page.getByText('Select a value to block.')).toBeVisible()
})
