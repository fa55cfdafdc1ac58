import { addAuthenticator, createPerson, keepCodes } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, fillSignIn, signIn } from './steps.ts'

test('a passkey is added, replaces the password, serves as second factor, and is removed', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await addAuthenticator(page)
  await signIn(page, '/profile/security', person)
  await page.getByRole('button', { name: 'Add passkey…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Key of the tests')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await keepCodes(page, 'Done')
  await expect(page.getByText('Key of the tests')).toBeVisible()

  await page.context().clearCookies()
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your sessions' })).toContainText('with second factor')

  await page.context().clearCookies()
  await page.goto('/profile/security')
  await fillSignIn(page, 'Sign in', person)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use passkey' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible()

  await page.getByRole('button', { name: 'Remove passkey Key of the tests' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Key of the tests')).toHaveCount(0)

  // The device still offers the passkey; the server no longer knows it.
  await page.context().clearCookies()
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This passkey was not accepted.')).toBeVisible()
})
