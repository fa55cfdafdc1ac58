import { createPerson, manageButton, otherPage, textOf } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, fillSignIn, signIn, unique } from './steps.ts'

test('an administrator invites a person, who follows the link, chooses a password and is signed in', async ({
  page,
  browser,
  baseURL,
}) => {
  const name = unique('Invited')
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@example.com`
  await signIn(page, '/settings/people')
  await expect(page.getByRole('row', { name: 'admin@example.com' })).toContainText('You')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite person' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Enter the name that others will see')).toBeVisible()
  await expect(dialog.getByLabel('Email address')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByLabel('Email address').fill(email)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: `${name} invited` })
  const link = await textOf(shown.locator('code'))
  expect(link).toContain('/welcome#')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(shown).toBeVisible()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('region', { name: 'Invitations' })).toContainText(email)

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: 'Welcome to First Tenant' })).toBeVisible()
  const password = theirs.getByLabel('Password', { exact: true })
  await password.fill('too short')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs.getByText('Use at least 12 characters: 3 more.')).toBeVisible()
  await password.fill('passwordpassword')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs.getByText('too similar to a common password')).toBeVisible()
  await expect(password).toBeFocused()
  await expectAccessible(theirs)
  await password.fill('river stones in winter 7')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs).toHaveURL(/\/prospects\?assignee=/)

  // A forbidden page says so and names who can change it.
  await theirs.goto('/settings/people')
  await expect(
    theirs.getByRole('heading', { level: 1, name: 'You cannot see the people of this workspace' }),
  ).toBeVisible()
  await expectAccessible(theirs)

  await theirs.goto('/profile')
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expectAccessible(theirs)
  await context.close()
})

test('a reset shows its link once, and a deleted person disappears from the list', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/settings/people')
  const choose = async (item: string) => {
    await (await manageButton(page, person)).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Reset password…')
  await page.getByRole('button', { name: 'Create link' }).click()
  const shown = page.getByRole('dialog', { name: `Password reset link for ${person.name}` })
  const link = await textOf(shown.locator('code'))
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: person.name })).toContainText('Must change the password')

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await theirs.getByLabel('Password', { exact: true }).fill('another river, another stone')
  await theirs.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(theirs).toHaveURL(/\/prospects\?assignee=/)

  await choose('Disable…')
  await page.getByRole('button', { name: 'Disable', exact: true }).click()
  await expect(page.getByRole('row', { name: person.name })).toContainText('Disabled')
  await theirs.goto('/prospects')
  await fillSignIn(theirs, 'Sign in', { ...person, password: 'another river, another stone' })
  await expect(theirs.getByText('The email address or password is wrong.')).toBeVisible()
  await context.close()

  await choose('Delete…')
  await expect(page.getByRole('dialog')).toContainText('Former user')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('row', { name: person.name })).toHaveCount(0)
})

test('sessions of a person are ended, and their unsaved text is still there after they sign in', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const theirs = await otherPage(browser, baseURL)
  await signIn(theirs, '/prospects/new', person)
  await theirs.getByRole('textbox', { name: 'Registered name' }).fill('Typed before being signed out')
  const also = await otherPage(browser, baseURL)
  await signIn(also, '/profile', person)

  await signIn(page, '/settings/people')
  const manage = await manageButton(page, person)
  await manage.focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'End sessions…' })
  await expect(page.getByRole('menuitem', { name: 'Name and role…' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `End sessions of ${person.name}?` })
  await expect(dialog).toContainText('All sessions of this person in this workspace end immediately')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'End sessions' }).press('Enter')
  await expect(page.getByText(`${person.name} signed out: 2 sessions ended`)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(manage).toBeFocused()

  await theirs.keyboard.press('Control+Enter')
  await expect(theirs.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
  await expect(theirs.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Typed before being signed out')
  await also.reload()
  await expect(also.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeVisible()
  await theirs.context().close()
  await also.context().close()
})

test('roles are shown as enforced, and security events are filtered by their address', async ({ page }) => {
  await signIn(page, '/settings/roles')
  await expect(page.getByRole('row', { name: 'Invite people and manage their accounts' })).toHaveText(/yesnonono$/)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Security events' }).click()
  await expect(page.getByRole('link', { name: 'Sign-in' }).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'User created' }).click()
  await expect(page).toHaveURL(/action=user\.create/)
  await expect(page.getByRole('link', { name: 'User created' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign-in', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'User created' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Audit event' })).toContainText(/User · \S/)
})

test('a disabled person is no longer offered as an assignee on an open page', async ({ page, browser, baseURL }) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page)
  const { id, name } = await createBusiness(page, { name: unique('Assigned') })
  await page.goto(`/prospects/${id}`)
  const openAssignee = async () => {
    await page.getByRole('button', { name: 'Edit assignee' }).click()
    await page.getByRole('combobox', { name: `Assignee of ${name}` }).click()
  }
  await openAssignee()
  await expect(page.getByRole('option', { name: person.name })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('people')
  await page.getByRole('option', { name: 'People' }).click()
  await (await manageButton(page, person)).click()
  await page.getByRole('menuitem', { name: 'Disable…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByRole('row', { name: person.name })).toContainText('Disabled')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await openAssignee()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expect(page.getByRole('option', { name: person.name })).toHaveCount(0)
})
