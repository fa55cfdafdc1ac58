import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { NewProspectScreen } from './new-prospect-screen.tsx'

const creating = 'POST /businesses'
const session = sessionOf({ permissions: ['businesses.write'] })
const answers = {
  'GET /assignees': json({
    items: [{ id: 'user-1', name: 'Ann Mokoena' }],
    page: { limit: 200, returned: 1, nextCursor: null, total: null },
  }),
  'GET /businesses/tags': json({ items: [], page: { limit: 50, returned: 0, nextCursor: null, total: null } }),
  'GET /phone-countries': json({ items: [] }),
  'POST /businesses/duplicate-checks': json({ items: [], unreadable: [] }),
  [creating]: json({ id: 'b1', name: 'Karoo Pumps', possibleDuplicates: [] }, 201),
}

test('a new record is assigned to its creator, and a trading name without a registered name is enough', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(<NewProspectScreen />, { session })
  await expect.element(page.getByRole('combobox', { name: 'Assignee' })).toHaveValue('Ann Mokoena')
  await page.getByRole('textbox', { name: 'Trading name' }).fill('Karoo Pumps')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Karoo Pumps created')
  expect(sentTo(creating)[0]?.body).toMatchObject({ tradingName: 'Karoo Pumps', assigneeId: 'user-1' })
  expect(sentTo(creating)[0]?.body).not.toHaveProperty('name')
})

test('the assignee of a new record can be cleared', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(<NewProspectScreen />, { session })
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Karoo Pumps (Pty) Ltd')
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  await expect.element(assignee).toHaveValue('Ann Mokoena')
  await page.getByRole('button', { name: 'Clear “Assignee”' }).click()
  await expect.element(assignee).toHaveValue('')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('created')
  expect(sentTo(creating)[0]?.body).not.toHaveProperty('assigneeId')
})
