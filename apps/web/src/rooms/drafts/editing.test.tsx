import type { Business, Draft, DraftTemplate } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DraftForm } from './draft-form.tsx'
import { TemplatesScreen } from './templates-screen.tsx'

const hash = 'a'.repeat(64)
const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const business: Business = businessOf({
  emails: [{ value: 'info@karoo.example', label: null }] as unknown as Business['emails'],
  phones: [{ value: '+27215550100', label: null }] as unknown as Business['phones'],
})
const draft = {
  id: 'd1',
  version: 3,
  title: 'First letter',
  assignee: { id: 'u1', name: 'Ann' },
  jurisdiction: 'za',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  recipient: { kind: 'email', value: 'info@karoo.example' },
  subject: 'Pumps',
  text: 'Good day.',
  citations: [],
  noCitationReason: null,
  acknowledgements: [],
  label: null,
} as unknown as Draft
const answers = {
  'GET /businesses/b1/evidence': list([]),
  'GET /draft-templates': list([]),
  'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
  'GET /assignees': list([]),
  'POST /draft-checks': json({ rendered: null, checks: [], contentHash: hash, snapshotHash: hash }),
}

const text = page.getByRole('textbox', { name: 'Text', exact: true })
const saveDraft = page.getByRole('button', { name: 'Save draft' })

test('a draft that a colleague saved meanwhile is not overwritten: both texts are shown', async () => {
  fakeApi(answers)
  const saved: { version: number; text: string; title: string }[] = []
  const form = (current: Draft) => (
    <DraftForm
      business={business}
      draft={current}
      send={async ({ text, title }) => {
        saved.push({ version: current.version, text, title })
        return current
      }}
      saved={() => undefined}
      close={() => undefined}
      reopen={() => undefined}
    />
  )
  const { show } = await renderInApp(form(draft))
  await text.fill('Good day, we sell pumps.')
  show(form({ ...draft, version: 4, title: 'Letter', text: 'Good day, we repair pumps.' }))
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Letter')
  await expect.element(text).toHaveValue('Good day, we sell pumps.')
  await saveDraft.click()
  expect(saved).toEqual([])
  const theirs = page.getByRole('radio', { name: /^Saved by someone else Good day, we repair pumps\./ })
  await expect.element(theirs).toBeVisible()
  await page.getByRole('radio', { name: /^Yours Good day, we sell pumps\./ }).click()
  await saveDraft.click()
  await expect.poll(() => saved).toEqual([{ version: 4, text: 'Good day, we sell pumps.', title: 'Letter' }])
})

test('Cancel of the editor deletes the unsaved text, with Undo; left in another way, the text stays and is named as unsaved', async () => {
  fakeApi(answers)
  const form = (key: string) => (
    <DraftForm
      key={key}
      business={business}
      draft={draft}
      send={async () => draft}
      saved={() => undefined}
      close={() => undefined}
      reopen={() => undefined}
    />
  )
  const { show } = await renderInApp(form('first'))
  await text.fill('Half a sent')
  show(null)
  show(form('second'))
  await expect.element(text).toHaveValue('Half a sent')
  await expect.element(page.getByText(/^Unsaved draft from just now\. Nothing is saved yet\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  show(null)
  show(form('third'))
  await expect.element(text).toHaveValue('Good day.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(text).toHaveValue('Half a sent')
})

test('fields that are inserted one after the other keep their order, and a change of the channel selects a recipient of that channel', async () => {
  fakeApi(answers)
  await renderInApp(
    <DraftForm
      business={business}
      draft={draft}
      send={async () => draft}
      saved={() => undefined}
      close={() => undefined}
      reopen={() => undefined}
    />,
  )
  const insert = async (field: string) => {
    await page.getByRole('combobox', { name: 'Insert a field' }).click()
    await page.getByRole('option', { name: field }).click()
  }
  await text.click()
  await userEvent.keyboard('{Control>}{Home}{/Control}')
  await insert('Registered name')
  await insert('Name of the sender')
  await expect.element(text).toHaveValue('{{business.name}} {{sender.name}} Good day.')
  await page.getByRole('combobox', { name: 'Channel' }).click()
  await page.getByRole('option', { name: 'SMS' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Recipient' })).toHaveValue('+27 21 555 0100')
})

const template: DraftTemplate = {
  id: 't1',
  version: 1,
  name: 'Intro',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  subject: null,
  text: 'Good day.',
} as unknown as DraftTemplate

test('a template that a colleague changed first is saved with its newest version', async () => {
  const { sentTo } = fakeApi({
    'GET /draft-templates': [list([template]), list([{ ...template, version: 2, name: 'Introduction' }])],
    'PATCH /draft-templates/t1': [problem(412, 'version_conflict'), json({ ...template, version: 3 })],
  })
  await renderInApp(<TemplatesScreen />, { session: sessionOf({ permissions: ['drafts.read', 'drafts.write'] }) })
  await page.getByRole('button', { name: 'Edit Intro' }).click()
  await text.fill('Good day to you.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Someone else saved changes first.')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Introduction')
  await page.getByRole('button', { name: 'Save template' }).click()
  await expect.poll(() => sentTo('PATCH /draft-templates/t1')).toHaveLength(2)
  const [first, second] = sentTo('PATCH /draft-templates/t1')
  expect([first, second].map((sent) => sent?.headers.get('if-match'))).toEqual(['"1"', '"2"'])
  expect(second?.body).toMatchObject({ name: 'Introduction', text: 'Good day to you.' })
})
