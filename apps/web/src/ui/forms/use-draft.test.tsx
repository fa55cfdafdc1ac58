import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { type Draft, useDraft } from './use-draft.ts'
import { useIdempotencyKey } from './use-idempotency-key.ts'

const parseText = (value: unknown) => (typeof value === 'string' ? value : null)
const isSecret = (text: string) => text.includes('secret')

type FormProps = {
  label?: string
  gone?: () => void
  reopen?: () => void
  onKey?: (key: string) => void
  isSensitive?: (text: string) => boolean
}

/** A form with one field: the minimal use of `useDraft`. */
function Form({ label = 'Note', gone, reopen = () => {}, onKey, isSensitive }: FormProps) {
  const draft: Draft<string> = useDraft('note', parseText, {
    ...(gone && { gone }),
    ...(isSensitive && { isSensitive }),
    returned: (back) => setText(back),
  })
  const [text, setText] = useState(draft.restored?.value ?? '')
  const { keyFor } = useIdempotencyKey(draft.attempts)
  return (
    <>
      <label>
        {label}
        <input
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            if (value === '') draft.clear()
            else draft.keep(value)
          }}
        />
      </label>
      <button type="button" onClick={() => onKey?.(keyFor(text))}>
        Send {label}
      </button>
      <button type="button" onClick={() => draft.clear()}>
        Saved {label}
      </button>
      <button
        type="button"
        onClick={() => {
          setText('')
          draft.discard(reopen)
        }}
      >
        Cancel {label}
      </button>
    </>
  )
}

/** Keys of the drafts in a storage. */
const draftsIn = (storage: Storage) => Object.keys(storage).filter((key) => key.startsWith('prospect-draft:'))

const field = (name = 'Note') => page.getByRole('textbox', { name })
const press = (name: string) => page.getByRole('button', { name }).click()

describe('a draft', () => {
  test('survives its form until it is cleared', async () => {
    const { show } = await renderInApp(<Form />)
    await field().fill('Call back on Monday')
    show(null)
    await expect.element(field()).not.toBeInTheDocument()
    show(<Form />)
    await expect.element(field()).toHaveValue('Call back on Monday')
    await press('Saved Note')
    show(null)
    show(<Form key="again" />)
    await expect.element(field()).toHaveValue('')
    expect(draftsIn(sessionStorage)).toHaveLength(0)
    expect(draftsIn(localStorage)).toHaveLength(0)
  })

  test('survives its tab: another tab restores it from the storage of the browser', async () => {
    const { show } = await renderInApp(<Form />)
    await field().fill('Call back')
    show(null)
    sessionStorage.clear()
    show(<Form key="again" />)
    await expect.element(field()).toHaveValue('Call back')
  })

  test('belongs to one user in one tenant', async () => {
    const first = await renderInApp(<Form />)
    await field().fill('Mine')
    await first.unmount()
    const tenant = { id: 'tenant-2', name: 'Other', timeZone: 'UTC', country: 'ZA', locale: 'en-ZA' as const }
    const second = await renderInApp(<Form />, { session: sessionOf({ tenant }) })
    await expect.element(field()).toHaveValue('')
    await second.unmount()
    await renderInApp(<Form />, { session: sessionOf({ user: { id: 'user-2', email: 'b@example.com', name: 'Ben' } }) })
    await expect.element(field()).toHaveValue('')
  })

  test('stays out of the storage shared by tabs when it is sensitive', async () => {
    await renderInApp(<Form isSensitive={isSecret} />)
    await field().fill('a plain text')
    expect(draftsIn(localStorage)).toHaveLength(1)
    await field().fill('a secret text')
    expect(draftsIn(localStorage)).toHaveLength(0)
    expect(draftsIn(sessionStorage)).toHaveLength(1)
  })

  test('cleared by one form closes another form of this page with the same text', async () => {
    const gone = vi.fn()
    const { show } = await renderInApp(<Form />)
    await field().fill('Shown twice')
    show(
      <>
        <Form key="first" label="First" />
        <Form key="second" label="Second" gone={gone} />
      </>,
    )
    await expect.element(field('Second')).toHaveValue('Shown twice')
    await press('Saved First')
    expect(gone).toHaveBeenCalledOnce()
  })

  test('cleared by one form does not affect another form with a different text', async () => {
    const gone = vi.fn()
    const { show } = await renderInApp(<Form />)
    await field().fill('Shown twice')
    show(
      <>
        <Form key="first" label="First" />
        <Form key="second" label="Second" gone={gone} />
      </>,
    )
    await field('Second').fill('Edited since')
    await press('Saved First')
    expect(gone).not.toHaveBeenCalled()
    await expect.element(field('Second')).toHaveValue('Edited since')
    expect(draftsIn(sessionStorage)).toHaveLength(1)
  })

  test('saved in another tab closes the form in this tab', async () => {
    const gone = vi.fn()
    await renderInApp(<Form gone={gone} />)
    await field().fill('Sent elsewhere')
    const [key = ''] = draftsIn(localStorage)
    const oldValue = localStorage.getItem(key)
    window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null }))
    expect(gone).toHaveBeenCalledOnce()
  })
})

describe('Cancel', () => {
  test('discards the draft, and Undo restores the text in the open form', async () => {
    const reopen = vi.fn()
    await renderInApp(<Form reopen={reopen} />)
    await field().fill('Not so fast')
    await press('Cancel Note')
    expect(draftsIn(sessionStorage)).toHaveLength(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.element(field()).toHaveValue('Not so fast')
    expect(reopen).toHaveBeenCalledOnce()
    expect(draftsIn(sessionStorage)).toHaveLength(1)
  })

  test('offers no Undo if nothing was typed', async () => {
    await renderInApp(<Form />)
    await press('Cancel Note')
    await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  })

  test('withdraws Undo once newer text is typed', async () => {
    await renderInApp(<Form />)
    await field().fill('First')
    await press('Cancel Note')
    await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await field().fill('Second')
    await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    await expect.element(field()).toHaveValue('Second')
  })
})

describe('an attempt to save', () => {
  test('uses the same key for the same text after the form was closed and reopened', async () => {
    const keys: string[] = []
    const onKey = (key: string) => keys.push(key)
    const { show } = await renderInApp(<Form onKey={onKey} />)
    await field().fill('Once')
    await press('Send Note')
    await press('Send Note')
    show(null)
    show(<Form key="again" onKey={onKey} />)
    await expect.element(field()).toHaveValue('Once')
    await press('Send Note')
    expect(new Set(keys)).toHaveProperty('size', 1)
  })

  test('gets a new key when the text is edited', async () => {
    const keys: string[] = []
    await renderInApp(<Form onKey={(key) => keys.push(key)} />)
    await field().fill('Once')
    await press('Send Note')
    await userEvent.type(field(), ' more')
    await press('Send Note')
    expect(new Set(keys)).toHaveProperty('size', 2)
  })
})
