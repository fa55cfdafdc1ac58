import { Button, TextInput } from '@mantine/core'
import { type AddEvidenceData, addEvidence } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { withKey } from '../api/client.ts'
import { dataOf } from '../api/data-of.ts'
import { NotSaved } from '../forms/save-failure.tsx'
import { useEntryForm } from './use-entry-form.ts'

type Values = { text: string; sourceLabel: string }
const initial: Values = { text: '', sourceLabel: '' }
const adding = 'POST /businesses/b1/evidence'

function parse(stored: unknown): Values | null {
  if (typeof stored !== 'object' || stored === null || !('text' in stored) || !('sourceLabel' in stored)) return null
  return { text: String(stored.text), sourceLabel: String(stored.sourceLabel) }
}

function EntryForm({ close, reopen }: { close: () => void; reopen: () => void }) {
  const { form, failure, isSaving, discard, formProps } = useEntryForm<Values, AddEvidenceData['body']>({
    businessId: 'b1',
    draftName: 'entry-b1',
    parse,
    initial,
    isBlank: ({ text, sourceLabel }) => text === '' && sourceLabel === '',
    inputs: ['text', 'sourceLabel'],
    missing: ({ text }): Record<string, string> => (text === '' ? { text: 'Enter a text.' } : {}),
    bodyOf: ({ text, sourceLabel }, _zone, now) => ({
      observation: text,
      sourceLabel,
      confidence: 'low',
      capturedAt: now,
    }),
    send: (body, key) => dataOf(addEvidence({ path: { businessId: 'b1' }, body, ...withKey(key) })),
    what: 'evidence',
    saved: () => 'Evidence added.',
    close,
    reopen,
  })
  return (
    <form {...formProps} aria-label="New entry">
      <TextInput label="Text" data-first {...form.getInputProps('text')} />
      <TextInput label="Source" {...form.getInputProps('sourceLabel')} />
      <NotSaved failure={failure} />
      <Button onClick={discard}>Cancel</Button>
      <Button type="submit" loading={isSaving}>
        Add
      </Button>
    </form>
  )
}

function Harness() {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <EntryForm close={() => setOpen(false)} reopen={() => setOpen(true)} />
  return <Button onClick={() => setOpen(true)}>New</Button>
}

const text = page.getByRole('textbox', { name: 'Text' })
const source = page.getByRole('textbox', { name: 'Source' })
const form = page.getByRole('form', { name: 'New entry' })
const add = () => page.getByRole('button', { name: 'Add' }).click()

async function openForm() {
  const app = await renderInApp(<Harness />)
  await page.getByRole('button', { name: 'New' }).click()
  return app
}

test('the first field has the focus when the form opens', async () => {
  await openForm()
  await expect.element(text).toHaveFocus()
})

test('a missing value stands beside its field, which takes the focus; nothing is sent', async () => {
  const { sent } = fakeApi()
  await openForm()
  await source.fill('A registry')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(text).toHaveAccessibleDescription('Enter a text.')
  await expect.element(text).toHaveFocus()
  expect(sent).toEqual([])
})

test('errors of the server stand beside their fields, the first of which takes the focus; others stand above the buttons', async () => {
  const errors = [
    { path: 'sourceLabel', code: 'too_long', message: 'The source is too long.' },
    { path: 'capturedAt', code: 'future', message: 'The time is in the future.' },
  ]
  fakeApi({ [adding]: problem(400, 'invalid_request', { errors }) })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(source).toHaveAccessibleDescription('The source is too long.')
  await expect.element(source).toHaveFocus()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Captured: The time is in the future.')
})

test('a save that succeeds clears the draft, says so and closes the form', async () => {
  const { sentTo } = fakeApi({ [adding]: json({ id: 'e1' }, 201) })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(page.getByText('Evidence added.')).toBeVisible()
  expect(sentTo(adding)).toHaveLength(1)
  expect(sessionStorage).toHaveLength(0)
})

test('a save without an answer says that it may be saved; sent again unchanged it is the same body under the same key', async () => {
  const { sentTo } = fakeApi({ [adding]: [connectionLost, json({ id: 'e1' }, 201)] })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(page.getByRole('alert')).toMatchTextContent('May not be saved')
  await expect.element(text).toHaveValue('Open on Sundays')
  await add()
  await expect.element(form).not.toBeInTheDocument()
  const [first, second] = sentTo(adding)
  expect(first?.headers.get('idempotency-key')).toBeTruthy()
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
  expect(second?.body).toEqual(first?.body)
})

test('an edited text is sent under a new key', async () => {
  const { sentTo } = fakeApi({ [adding]: [connectionLost, json({ id: 'e1' }, 201)] })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await text.fill('Open on Saturdays')
  await add()
  await expect.element(form).not.toBeInTheDocument()
  const [first, second] = sentTo(adding)
  expect(second?.headers.get('idempotency-key')).not.toBe(first?.headers.get('idempotency-key'))
})

test('while it is saved the fields take nothing and a second submit sends nothing', async () => {
  const { answer, send } = heldAnswer()
  const { sentTo } = fakeApi({ [adding]: answer })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(text).toHaveAttribute('readonly')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  send(json({ id: 'e1' }, 201))
  await expect.element(form).not.toBeInTheDocument()
  expect(sentTo(adding)).toHaveLength(1)
})

test('a form that is left open elsewhere is restored with what was typed', async () => {
  const { show } = await openForm()
  await text.fill('Open on Sundays')
  show(null)
  show(<Harness key="again" />)
  await page.getByRole('button', { name: 'New' }).click()
  await expect.element(text).toHaveValue('Open on Sundays')
})

test('a save that fails after the person left is shown, and the text stays as a draft', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ [adding]: answer })
  const { show } = await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(text).toHaveAttribute('readonly')
  show(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  send(problem(409, 'conflict', { detail: 'The record was merged.' }))
  await expect.element(page.getByText('Not saved: evidence of a prospect')).toBeVisible()
  show(<Harness key="again" />)
  await page.getByRole('button', { name: 'New' }).click()
  await expect.element(text).toHaveValue('Open on Sundays')
})

test('Cancel discards what was typed, and Undo restores it', async () => {
  await openForm()
  await text.fill('Open on Sundays')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New' }).click()
  await expect.element(text).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(text).toHaveValue('Open on Sundays')
})
