import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, signIn, unique } from './steps.ts'

test('Enter selects the match of the typed name, and does not submit the form while text is incomplete', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(unique('Assigned by keyboard'))
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  // Focus alone does not open the list over the fields below.
  await assignee.focus()
  await expect(assignee).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.type('nobody of this name')
  await expect(page.getByText('No such person in this workspace')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/prospects\/new$/)
  await expect(page.getByText('Enter a registered name or a trading name.')).toBeHidden()
  await assignee.fill(person.name.slice(0, -1).toUpperCase())
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveValue(person.name)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Assigned by keyboard' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pipeline and assignee' })).toContainText(person.name)
})

test('a filter is chosen by typing and Enter, and gets the focus', async ({ page }) => {
  await signIn(page)
  const tag = unique('Tagged').toLowerCase()
  await createBusiness(page, { name: unique('Filtered by keyboard'), tags: [tag, `zz ${tag}`] })
  await page.goto('/prospects')
  const add = async (field: string) => {
    await page.getByRole('button', { name: 'Add filter' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: field }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: field })).toBeFocused()
  }
  await add('Pipeline state')
  await page.keyboard.type('neg')
  // Enter chooses the first option once it is rendered.
  await expect(page.getByRole('option')).toHaveText(['Negotiation'])
  await expect(page.getByRole('combobox', { name: 'Pipeline state' })).toHaveAttribute('aria-activedescendant', /./)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/state=negotiation/)
  await expect(page.getByRole('button', { name: 'Pipeline state: in Negotiation' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Pipeline state' })).toBeFocused()
  await page.keyboard.type('new')
  await expect(page.getByRole('option')).toHaveText(['New'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/state=new/)
  await add('Tag')
  await page.keyboard.type(tag)
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Tag: tagged ${tag}` })).toBeFocused()
  await expect(page.getByRole('row', { name: 'Filtered by keyboard' })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Tag: tagged ${tag}` })).toBeFocused()
})

test('a key pressed before the opened list has the focus runs no shortcut', async ({ page }) => {
  await signIn(page, '/prospects?state=new')
  const chip = page.getByRole('button', { name: 'Pipeline state: in New' })
  await chip.focus()
  await chip.evaluate(async (button: HTMLElement) => {
    button.click()
    while (button.getAttribute('aria-expanded') !== 'true') await Promise.resolve()
    if (document.activeElement !== button) throw new Error('It has lost the focus already.')
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('combobox', { name: 'Pipeline state' })).toBeFocused()
  await expect(page).toHaveURL(/\/prospects\?state=new$/)
})

test('an option list never covers the error of its field', async ({ page }) => {
  await signIn(page)
  const tags = Array.from({ length: 20 }, (_, n) => `${n} of twenty`)
  const { id } = await createBusiness(page, { name: unique('Many tags'), tags })
  await page.goto(`/prospects/${id}?tab=interactions`)
  await page.getByRole('button', { name: 'Log call' }).first().click()
  await page.getByRole('button', { name: 'Other…' }).click()
  const outcome = page.getByRole('combobox', { name: 'Outcome' })
  await outcome.focus()
  await page.keyboard.press('Control+Enter')
  const main = page.getByRole('main')
  await expect(main.getByText('Choose an outcome.')).toBeVisible()
  await expect(outcome).toBeFocused()
  await expect(outcome).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expect(outcome).toHaveAttribute('aria-expanded', 'true')

  await page.goto(`/prospects/${id}?tab=edit`)
  const field = page.getByRole('combobox', { name: 'Tags' })
  await field.focus()
  await expect(field).toHaveAttribute('aria-expanded', 'false')
  // Typing opens the list of existing tags.
  await page.keyboard.type('of twenty one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Control+Enter')
  await expect(main.getByText('At most 20')).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-expanded', 'false')
})
