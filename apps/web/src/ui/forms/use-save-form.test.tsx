import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addEvidence, editUser } from '@prospect/api-client'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { isProblem } from '../api/api-problem.ts'
import { ifMatch, withKey } from '../api/client.ts'
import { dataOf } from '../api/data-of.ts'
import { CancelButton } from './cancel-button.tsx'
import { DraftHint } from './draft-hint.tsx'
import { SaveForm } from './save-form.tsx'
import { type FieldErrors, useSaveForm } from './use-save-form.ts'

const initial = { text: '', sourceLabel: '' }
const adding = 'POST /businesses/b1/evidence'

function EntryForm({ close, reopen }: { close: () => void; reopen: () => void }) {
  const save = useSaveForm({
    initial,
    validate: ({ text }): FieldErrors => (text === '' ? { text: 'Enter a text.' } : {}),
    send: ({ text, sourceLabel }, { key, at }) => {
      const body = { observation: text, sourceLabel, confidence: 'low' as const, capturedAt: at }
      return dataOf(addEvidence({ path: { businessId: 'b1' }, body, ...withKey(key) }))
    },
    onSaved: () => {
      notifications.show({ message: 'Evidence added.' })
      close()
    },
    what: 'evidence of a prospect',
    draft: { name: 'entry-b1', gone: close },
  })
  return (
    <SaveForm
      save={save}
      aria-label="New entry"
      actions={
        <>
          <CancelButton save={save} close={close} reopen={reopen} />
          <Button type="submit" loading={save.isSaving}>
            Add
          </Button>
        </>
      }
    >
      <TextInput label="Text" data-first {...save.form.getInputProps('text')} />
      <TextInput label="Source" {...save.form.getInputProps('sourceLabel')} />
    </SaveForm>
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

test('a missing value shows an error beside its field, which gets the focus; nothing is sent', async () => {
  const { sent } = fakeApi()
  await openForm()
  await source.fill('A registry')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(text).toHaveAccessibleDescription('Enter a text.')
  await expect.element(text).toHaveFocus()
  expect(sent).toEqual([])
})

test('server errors appear beside their fields, the first of which gets the focus; others appear above the buttons', async () => {
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

test('a successful save clears the draft, shows a notice and closes the form', async () => {
  const { sentTo } = fakeApi({ [adding]: json({ id: 'e1' }, 201) })
  await openForm()
  await text.fill('Open on Sundays')
  await add()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(page.getByText('Evidence added.')).toBeVisible()
  expect(sentTo(adding)).toHaveLength(1)
  expect(sessionStorage).toHaveLength(0)
})

test('a save without a response is reported as unknown; an unchanged retry sends the same body with the same key', async () => {
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

test('an edited text is sent with a new key', async () => {
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

test('while saving the fields are read-only and a second submit sends nothing', async () => {
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

test('a form that was left open restores its text', async () => {
  const { show } = await openForm()
  await text.fill('Open on Sundays')
  show(null)
  show(<Harness key="again" />)
  await page.getByRole('button', { name: 'New' }).click()
  await expect.element(text).toHaveValue('Open on Sundays')
})

test('a form that restores a draft says so, for screen readers too; a form whose field says it does not repeat it', async () => {
  const { show } = await openForm()
  await expect.element(page.getByText(/Unsaved draft/)).not.toBeInTheDocument()
  await text.fill('Open on Sundays')
  show(null)
  show(<Harness key="again" />)
  await page.getByRole('button', { name: 'New' }).click()
  await expect
    .element(form.getByRole('status'))
    .toMatchTextContent(/^Unsaved draft from just now\. Nothing is saved yet\.$/)
  await expect.element(form.getByRole('status')).toBeVisible()
  show(<HintedForm key="hinted" />)
  await expect.element(text).toHaveAccessibleDescription(/^Unsaved draft from just now\.$/)
  await expect.element(page.getByText(/Nothing is saved yet/)).not.toBeVisible()
})

/** The form of the entry, with the hint at its field. */
function HintedForm() {
  const save = useSaveForm({ initial, send: async () => null, onSaved: () => {}, draft: { name: 'entry-b1' } })
  return (
    <SaveForm save={save} actions={null}>
      <TextInput
        label="Text"
        description={save.restored && <DraftHint draft={save.restored} />}
        {...save.form.getInputProps('text')}
      />
    </SaveForm>
  )
}

test('a save that fails after the user left is notified, and the text stays as a draft', async () => {
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

test('Cancel discards the text, and Undo restores it', async () => {
  await openForm()
  await text.fill('Open on Sundays')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New' }).click()
  await expect.element(text).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(text).toHaveValue('Open on Sundays')
})

const renaming = 'PATCH /users/u1'

/** Form for a record that other people may change at the same time. */
function EditForm({ user, saved }: { user: { name: string; role: string }; saved?: () => void }) {
  const save = useSaveForm({
    initial: user,
    send: ({ name, role }) =>
      dataOf(editUser({ path: { id: 'u1' }, body: { name, role: role as 'manager' }, ...ifMatch(1) })),
    onSaved: () => saved?.(),
    draft: { name: 'user-u1' },
    explain: (error) => (isProblem(error, 'conflict') ? { fields: { name: 'Somebody has this name.' } } : undefined),
  })
  return (
    <SaveForm save={save} aria-label="Edit" actions={<Button type="submit">Save</Button>}>
      <TextInput label="Name" {...save.form.getInputProps('name')} />
      <TextInput label="Role" {...save.form.getInputProps('role')} />
    </SaveForm>
  )
}

const name = page.getByRole('textbox', { name: 'Name' })
const role = page.getByRole('textbox', { name: 'Role' })

test('an untouched field follows the record; an edited field keeps its text', async () => {
  const { show } = await renderInApp(<EditForm user={{ name: 'Ann', role: 'viewer' }} />)
  await name.fill('Anna')
  show(<EditForm user={{ name: 'Ann N.', role: 'manager' }} />)
  await expect.element(role).toHaveValue('manager')
  await expect.element(name).toHaveValue('Anna')
})

test('a draft contains only edited fields, so restoring it overwrites no change of others', async () => {
  const { show } = await renderInApp(<EditForm user={{ name: 'Ann', role: 'viewer' }} />)
  await name.fill('Anna')
  show(null)
  show(<EditForm user={{ name: 'Ann', role: 'manager' }} />)
  await expect.element(name).toHaveValue('Anna')
  await expect.element(role).toHaveValue('manager')
})

test('an error explained by the form appears beside its field', async () => {
  fakeApi({ [renaming]: problem(409, 'conflict') })
  await renderInApp(<EditForm user={{ name: 'Ann', role: 'viewer' }} />)
  await name.fill('Ben')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(name).toHaveAccessibleDescription('Somebody has this name.')
  await expect.element(name).toHaveFocus()
})

type Person = { name: string; role: string; version: number }

/** The stored person, which a colleague may change at any time. */
let storedPerson: Person = { name: 'Ann', role: 'viewer', version: 1 }

/** Form that edits a record, with the version that the server last returned. */
function RecordForm({ start = storedPerson, answer }: { start?: Person; answer?: Person }) {
  const [person, setPerson] = useState(start)
  const save = useSaveForm({
    initial: { name: person.name, role: person.role },
    edits: { reload: async () => setPerson(storedPerson), labels: { name: 'Name', role: 'Role' } },
    send: (body) =>
      dataOf(editUser({ path: { id: 'u1' }, body: body as { role: 'manager' }, ...ifMatch(person.version) })),
    onSaved: () => answer && setPerson(answer),
    draft: { name: 'record-u1' },
  })
  return (
    <>
      <SaveForm save={save} aria-label="Edit" actions={<Button type="submit">Save</Button>}>
        <TextInput label="Name" {...save.form.getInputProps('name')} />
        <TextInput label="Role" {...save.form.getInputProps('role')} />
      </SaveForm>
      <Button onClick={() => setPerson(storedPerson)}>Live update</Button>
    </>
  )
}

const saveIt = () => page.getByRole('button', { name: 'Save' }).click()
const liveUpdate = (changed: Partial<Person>) => {
  storedPerson = { ...storedPerson, ...changed, version: storedPerson.version + 1 }
  return page.getByRole('button', { name: 'Live update' }).click()
}
const nameChoice = page.getByRole('radiogroup', { name: 'Name' })
beforeEach(() => {
  storedPerson = { name: 'Ann', role: 'viewer', version: 1 }
})

describe('a form that edits a record', () => {
  test('does not overwrite the text of a colleague in the field being typed in: it shows both and asks', async () => {
    const { sentTo } = fakeApi({ [renaming]: json({}) })
    await renderInApp(<RecordForm />)
    await name.fill('Anna')
    await liveUpdate({ name: 'Ann N.', role: 'manager' })
    await expect.element(name).toHaveValue('Anna')
    await expect.element(role).toHaveValue('manager')
    await expect.element(page.getByText('When you started: Ann', { exact: true })).toBeVisible()
    await saveIt()
    await expect.element(page.getByText(/Choose the value to keep, then save again/)).toBeVisible()
    await expect.element(nameChoice.getByRole('radio').first()).toHaveFocus()
    expect(sentTo(renaming)).toEqual([])
    await nameChoice.getByRole('radio', { name: 'Yours Anna' }).click()
    await saveIt()
    await expect.poll(() => sentTo(renaming)).toHaveLength(1)
    expect(sentTo(renaming)[0]?.body).toEqual({ name: 'Anna', role: 'manager' })
    expect(sentTo(renaming)[0]?.headers.get('if-match')).toBe('"2"')
  })

  test('takes the value of the colleague if the person chooses it, and gives the own one back', async () => {
    const { sentTo } = fakeApi({ [renaming]: json({}) })
    await renderInApp(<RecordForm />)
    await name.fill('Anna')
    await liveUpdate({ name: 'Ann N.' })
    await nameChoice.getByRole('radio', { name: 'Saved by someone else Ann N.' }).click()
    await expect.element(name).toHaveValue('Ann N.')
    await nameChoice.getByRole('radio', { name: 'Yours Anna' }).click()
    await expect.element(name).toHaveValue('Anna')
    await nameChoice.getByRole('radio', { name: 'Saved by someone else Ann N.' }).click()
    await saveIt()
    await expect.poll(() => sentTo(renaming)[0]?.body).toEqual({ name: 'Ann N.', role: 'viewer' })
  })

  test('asks nothing if the colleague made the same change or changed other fields', async () => {
    await renderInApp(<RecordForm />)
    await name.fill('Anna')
    await liveUpdate({ name: 'Anna', role: 'manager' })
    await expect.element(role).toHaveValue('manager')
    await expect.element(nameChoice).not.toBeInTheDocument()
  })

  test('is saved with the newest version after the server refused an older one', async () => {
    const { sentTo } = fakeApi({ [renaming]: [problem(412, 'version_conflict'), json({})] })
    await renderInApp(<RecordForm />)
    await name.fill('Anna')
    storedPerson = { name: 'Ann', role: 'manager', version: 5 }
    await saveIt()
    await expect.element(page.getByRole('alert')).toMatchTextContent('Someone else saved changes first.')
    await expect.element(role).toHaveValue('manager')
    await saveIt()
    await expect.poll(() => sentTo(renaming)).toHaveLength(2)
    expect(sentTo(renaming)[1]?.headers.get('if-match')).toBe('"5"')
    expect(sentTo(renaming)[1]?.body).toEqual({ name: 'Anna', role: 'manager' })
  })

  test('asks for a choice after the server refused an older version because of the same field', async () => {
    const { sentTo } = fakeApi({ [renaming]: problem(412, 'version_conflict') })
    await renderInApp(<RecordForm />)
    await name.fill('Anna')
    storedPerson = { name: 'Ann N.', role: 'viewer', version: 5 }
    await saveIt()
    await expect.element(nameChoice).toBeVisible()
    await saveIt()
    await expect.element(page.getByText(/Choose the value to keep, then save again/)).toBeVisible()
    expect(sentTo(renaming)).toHaveLength(1)
  })

  test('recognises on the next opening that a colleague changed a field of its draft', async () => {
    const { show } = await renderInApp(<RecordForm />)
    await name.fill('Anna')
    show(null)
    show(<RecordForm key="again" start={{ name: 'Ann N.', role: 'viewer', version: 2 }} />)
    await expect.element(name).toHaveValue('Anna')
    await expect.element(page.getByText('When you started: Ann', { exact: true })).toBeVisible()
    await expect.element(nameChoice.getByRole('radio', { name: 'Saved by someone else Ann N.' })).toBeVisible()
  })

  test('takes a differently written answer to its own save for no change of someone else', async () => {
    fakeApi({ [renaming]: json({}) })
    await renderInApp(<RecordForm answer={{ name: 'Anna', role: 'viewer', version: 2 }} />)
    await name.fill('Anna ')
    await saveIt()
    await expect.element(name).toHaveValue('Anna')
    await expect.element(nameChoice).not.toBeInTheDocument()
  })
})
