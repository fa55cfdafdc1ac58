import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, fillSignIn, signIn } from './steps.ts'

test('a session elsewhere is ended from here, and there the page asks to sign in again', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const elsewhere = await context.newPage()
  await signIn(elsewhere, '/prospects/new', person)
  await elsewhere.getByLabel('Registered name').fill('Typed elsewhere')

  await signIn(page, '/profile/security', person)
  const sessions = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This one' })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
  await expect(sessions).toHaveCount(1)

  await elsewhere.keyboard.press('Control+Enter')
  await expect(elsewhere.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await expect(elsewhere.getByLabel('Registered name')).toHaveValue('Typed elsewhere')
  await context.close()
})

test('a changed password ends every other session and is asked for from then on', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  await page.getByRole('button', { name: 'Change the password…' }).click()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Change the password…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByLabel('Current password', { exact: true }).fill('not the present one')
  await page.getByLabel('New password', { exact: true }).fill('a new one that is long enough')
  await page.getByRole('button', { name: 'Change the password', exact: true }).click()
  await expect(page.getByText('This is not your current password.')).toBeVisible()
  await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Change the password', exact: true }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()

  // The page goes on with the renewed session.
  await page.getByRole('link', { name: 'Profile' }).click()
  await page.context().clearCookies()
  await page.goto('/profile')
  await fillSignIn(page, 'Sign in', { ...person, password: 'a new one that is long enough' })
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
})
