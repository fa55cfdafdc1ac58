import { codeOf, keepCodes, textOf } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { type RunningApp, startApp } from './server.ts'
import { expectAccessible, fillSignIn } from './steps.ts'

const first = { name: '', email: 'first@example.com', password: 'set by whoever installed it 63' }
let app: RunningApp

test.beforeAll(async () => {
  app = await startApp({
    logName: 'production',
    settings: {
      PROSPECT_ENV: 'production',
      BOOTSTRAP_ADMIN_EMAIL: first.email,
      BOOTSTRAP_ADMIN_PASSWORD: first.password,
    },
  })
})
test.afterAll(() => app.stop())

test('in production the first administrator changes the password and sets up a second factor before anything else', async ({
  page,
}) => {
  await page.goto(`${app.url}/settings/people`)
  await fillSignIn(page, 'Sign in', first)
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  await expectAccessible(page)
  // The step cannot be skipped.
  await page.goto(`${app.url}/prospects`)
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  await page.getByLabel('Current password', { exact: true }).fill(first.password)
  await page.getByLabel('New password', { exact: true }).fill('chosen by the administrator 74')
  await page.getByRole('button', { name: 'Change password' }).click()

  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const secret = (await textOf(page.locator('code'))).replaceAll(' ', '')
  await expectAccessible(page)
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await keepCodes(page, 'Continue')
  await expect(page).toHaveURL(`${app.url}/prospects`)
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
})
