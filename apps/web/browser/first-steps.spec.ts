import type { Page } from '@playwright/test'
import type { Role } from '@prospect/api-client'
import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' })

type First = { who: string; role: Role; says: RegExp; link: string; opens: RegExp }

const firsts: readonly First[] = [
  {
    who: 'an operator',
    role: 'operator',
    says: /Nothing is assigned to you yet/,
    link: 'all prospects',
    opens: /\/prospects$/,
  },
  {
    who: 'a manager',
    role: 'manager',
    says: /counts the calls of each person/,
    link: 'A report',
    opens: /\/reports\/new/,
  },
  {
    who: 'an administrator',
    role: 'administrator',
    says: /Invite your colleagues\. ?Done/,
    link: 'Add a second factor',
    opens: /\/profile\/security/,
  },
]

for (const { who, role, says, link, opens } of firsts)
  test(`the first sign-in of ${who} shows first steps, which stay dismissed`, async ({ page, browser, baseURL }) => {
    const person = await createPerson(browser, baseURL, role)
    await signIn(page, '/', person)
    await expect(steps(page)).toContainText(says)
    await expectAccessible(page)
    await steps(page).getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(opens)
    await page.goto('/prospects')
    await steps(page).getByRole('button', { name: 'What the words mean' }).click()
    const words = page.getByRole('dialog', { name: 'What the words mean' })
    for (const word of ['Evidence', 'Score', 'Priority', 'Review'])
      await expect(words.getByText(word, { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await steps(page).getByRole('button', { name: 'Dismiss the first steps' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('table'))).not.toHaveCount(0)
    await expect(steps(page)).toBeHidden()
  })

test('the palette opens the words, and the first steps state how many prospects an operator has', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects', person)
  const { user } = await (await page.request.get('/api/v1/session')).json()
  await createBusiness(page, { name: unique('Mine'), assigneeId: user.id })
  await page.reload()
  await expect(steps(page)).toContainText('1 is assigned to you')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('glossary')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'What the words mean' })).toBeVisible()
  await expectAccessible(page)
})
