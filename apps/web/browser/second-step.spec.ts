import { codeOf, createPerson, otherPage, setUpApp } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, fillSignIn, signIn, unique } from './steps.ts'

test('an authenticator app is set up and required; each code and each recovery code works once', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog.getByLabel('Code from the app')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel('Code from the app').fill('12345')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter the six digits')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const { secret, usedCode, recoveryCodes } = await setUpApp(page)
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expectAccessible(page)

  await page.context().clearCookies()
  await page.goto('/profile/security')
  await fillSignIn(page, 'Sign in', person)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expect(page.getByLabel('Code from your authenticator app')).toBeFocused()
  await expectAccessible(page)
  // The step survives a reload, and the code of the enrolment is already used.
  await page.reload()
  await page.getByLabel('Code from your authenticator app').fill(usedCode)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('already used or expired')).toBeVisible()
  await expect(page.getByLabel('Code from your authenticator app')).toBeFocused()
  await page.getByLabel('Code from your authenticator app').fill(codeOf(secret, 'next'))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible()

  for (const outcome of ['works', 'is spent'] as const) {
    await page.context().clearCookies()
    await page.goto('/profile/security')
    await fillSignIn(page, 'Sign in', person)
    await page.getByRole('button', { name: 'Use recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    if (outcome === 'works') await expect(page.getByText('9 of 10 left')).toBeVisible()
    else await expect(page.getByText('This recovery code is wrong')).toBeVisible()
  }
})

test('a second factor is removed by its owner: it requires a fresh code, ends all other sessions, and the password alone is enough', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  const { secret } = await setUpApp(page)
  const elsewhere = await otherPage(browser, baseURL)
  await elsewhere.goto('/profile')
  await fillSignIn(elsewhere, 'Sign in', person)
  await elsewhere.getByLabel('Code from your authenticator app').fill(codeOf(secret, 'next'))
  await elsewhere.keyboard.press('Enter')
  await expect(elsewhere.getByRole('heading', { level: 1, name: person.name })).toBeVisible()

  const remove = page.getByRole('button', { name: 'Remove authenticator app' })
  await remove.click()
  const dialog = page.getByRole('dialog', { name: 'Remove authenticator app?' })
  await expect(dialog).toContainText('password alone')
  await expectAccessible(page)
  // Cancelled by keyboard: it still exists, and the focus returns.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(remove).toBeFocused()
  await remove.press('Enter')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(page.getByText('Removed. All your other sessions ended.')).toBeVisible()
  await expect(page.getByText('Not set up')).toBeVisible()
  await expect(page.getByText('Recovery codes')).toHaveCount(0)
  await expectAccessible(page)

  await elsewhere.goto('/profile')
  await fillSignIn(elsewhere, 'Sign in', person)
  await expect(elsewhere.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
  await elsewhere.context().close()
})

test('a session that ends during an edit is signed in again with both steps over the page, and the edit continues', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/profile/security', person)
  const { secret } = await setUpApp(page)
  const { id } = await createBusiness(page, { name: unique('Half edited') })
  await page.goto(`/prospects/${id}?tab=edit`)
  await page.getByLabel('Trading name').fill('Typed before the session ended')

  await page.context().clearCookies()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await fillSignIn(page, 'Sign in and continue', person)
  const second = page.getByRole('dialog', { name: 'One more step' })
  await expect(second.getByLabel('Code from your authenticator app')).toBeFocused()
  await expect(page.getByLabel('Trading name')).toHaveValue('Typed before the session ended')
  await expectAccessible(page)
  await second.getByLabel('Code from your authenticator app').fill(codeOf(secret, 'next'))
  await page.keyboard.press('Enter')

  await expect(second).toBeHidden()
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toContainText('Typed before the session ended')
})
