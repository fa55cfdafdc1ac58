import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('Enter takes the name that was typed for, and sends no form while one is half typed', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects/new')
  await page.getByLabel('Registered name').fill(unique('Assigned by keyboard'))
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  // Whoever passes through has nothing opened over the fields below.
  await assignee.focus()
  await expect(assignee).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.type('nobody of this name')
  await expect(page.getByText('Nobody of this name works in this tenant')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/prospects\/new$/)
  await expect(page.getByText('Enter the name of the business.')).toBeHidden()
  await assignee.fill(person.name.slice(0, -1).toUpperCase())
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveValue(person.name)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Assigned by keyboard' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Assignee' })).toHaveValue(person.name)
})

test('Enter on what is chosen leaves it; a button within reach of the keyboard clears it', async ({ page }) => {
  await signIn(page)
  const session = await (await page.request.get('/api/v1/session')).json()
  const { id } = await createBusiness(page, { name: unique('Stays assigned'), assigneeId: session.user.id })
  await page.goto(`/prospects/${id}?tab=edit`)
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  await expect(assignee).toHaveValue(session.user.name)
  await assignee.focus()
  await page.keyboard.press('ArrowDown')
  await expect(assignee).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveAttribute('aria-expanded', 'false')
  await expect(assignee).toHaveValue(session.user.name)
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Clear “Assignee”' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveValue('')
  await expect(assignee).toBeFocused()
})
