import type { Page } from '@playwright/test'
import { codeOf, otherPage, setUpApp, textOf, workIn } from './accounts.ts'
import { expect, switcher, tenants, test } from './fixtures.ts'
import { expectAccessible, type Person, signIn, unique } from './steps.ts'

const invitations = (page: Page) => page.getByRole('region', { name: 'Invitations' })

/** Invites a person and returns the one-time link. */
async function invite(page: Page, person: { name: string; email: string }): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite person' })
  await dialog.getByLabel('Email address').fill(person.email)
  await dialog.getByLabel('Name').fill(person.name)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  return takeLink(page, `${person.name} invited`)
}

async function takeLink(page: Page, title: string): Promise<string> {
  const shown = page.getByRole('dialog', { name: title })
  const link = await textOf(shown.locator('code'))
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toBeHidden()
  return link
}

function newcomer(name: string): Person {
  const own = unique(name)
  return { name: own, email: `${own.replaceAll(' ', '.').toLowerCase()}@example.com`, password: `${own} and more` }
}

test('a renewed invitation invalidates the previous link', async ({ page, browser, baseURL }) => {
  const person = newcomer('Renewed')
  await signIn(page, '/settings/people')
  const first = await invite(page, person)
  await page.getByRole('button', { name: `New link for ${person.name}` }).click()
  await expect(page.getByRole('dialog', { name: `A new link for ${person.name}` })).toContainText('no longer works')
  await expectAccessible(page)
  const second = await takeLink(page, `A new link for ${person.name}`)
  expect(second).not.toBe(first)
  await expect(invitations(page).getByText(person.email)).toHaveCount(1)

  const theirs = await otherPage(browser, baseURL)
  await theirs.goto(first)
  await expect(theirs.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await theirs.goto('about:blank')
  await theirs.goto(second)
  await expect(theirs.getByRole('heading', { name: `Welcome to ${tenants.first}` })).toBeVisible()
  await theirs.context().close()
})

test('an invitation is withdrawn by keyboard, and its link stops working', async ({ page, browser, baseURL }) => {
  const person = newcomer('Withdrawn')
  await signIn(page, '/settings/people')
  const link = await invite(page, person)
  const withdraw = page.getByRole('button', { name: `Withdraw invitation of ${person.name}` })
  await withdraw.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Withdraw invitation of ${person.name}?` })
  await expect(dialog).toContainText('stops working immediately')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(withdraw).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Withdraw' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`Invitation of ${person.name} withdrawn`)).toBeVisible()
  await expect(page.getByText(person.email)).toHaveCount(0)

  const theirs = await otherPage(browser, baseURL)
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await theirs.context().close()
})

test('a user with an account joins another tenant with the existing password and works in both', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = newcomer('Joiner')
  await signIn(page, '/settings/people')
  const first = await invite(page, person)
  const theirs = await otherPage(browser, baseURL)
  const used = await theirs.request.post('/api/v1/one-time-links/use', {
    data: { token: first.split('#')[1], password: person.password },
  })
  expect(used.ok(), await used.text()).toBe(true)
  await signIn(theirs, '/profile/security', person)
  const { secret } = await setUpApp(theirs)
  await theirs.context().clearCookies()

  const second = await otherPage(browser, baseURL)
  await signIn(second, '/prospects', switcher)
  await workIn(second, tenants.second)
  await second.goto('/settings/people')
  const link = await invite(second, person)
  await second.context().close()

  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: `Welcome to ${tenants.second}` })).toBeVisible()
  await expect(theirs.getByText('you already have an account')).toBeVisible()
  const password = theirs.getByLabel('Your password', { exact: true })
  await password.fill('not the password of mine')
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByText('Wrong password.').first()).toBeVisible()
  await expect(password).toBeFocused()
  await expectAccessible(theirs)
  await password.fill(person.password)
  await theirs.keyboard.press('Enter')
  // The sign-in requires the second factor and still continues to the workspace of the link.
  await theirs.getByLabel('Code from your authenticator app').fill(codeOf(secret, 'next'))
  await theirs.keyboard.press('Enter')
  await expect(theirs).toHaveURL(/\/prospects\?assignee=/)
  const menu = theirs.getByRole('button', { name: /switch workspace/ })
  await expect(menu).toContainText(tenants.second)
  await menu.click()
  await theirs.getByRole('menuitem', { name: tenants.first }).click()
  await expect(menu).toContainText(tenants.first)
  await theirs.context().close()
})
