import { createPerson, goStale } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { expectAccessible, signIn } from './steps.ts'

test('a dangerous change asks for a fresh proof over the page and then goes on by itself', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'viewer')
  await signIn(page, '/settings/people')
  await goStale(page, (request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: `Manage ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Name and role…' }).click()
  const edit = page.getByRole('dialog', { name: `Name and role of ${person.name}` })
  await edit.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Operator' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()

  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof.getByLabel('Your password')).toBeFocused()
  await expectAccessible(page)

  // Rather not: nothing is changed, and what was chosen is still there.
  await page.keyboard.press('Escape')
  await expect(proof).toBeHidden()
  await expect(edit.getByRole('alert')).toContainText('Nothing was changed')
  await expect(edit.getByRole('combobox', { name: 'Role' })).toHaveValue('Operator')

  await edit.getByRole('button', { name: 'Save' }).click()
  await proof.getByLabel('Your password').fill('not my password at all')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('The password is not right.')).toBeVisible()
  await proof.getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')

  await expect(proof).toBeHidden()
  await expect(edit).toBeHidden()
  await expect(page.getByRole('row', { name: person.name })).toContainText('Operator')
})

test('a session that turns out to lack something during work is completed over the page, and the work goes on', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects/new', person)
  await page.getByLabel('Registered name').fill('Typed before the password was reset')

  // As after a reset by an administrator, for a session that outlived it.
  let isChanged = false
  await page.route('**/api/v1/**', async (route) => {
    const url = route.request().url()
    if (url.endsWith('/password')) isChanged = true
    if (isChanged) return route.continue()
    if (url.endsWith('/session')) {
      const answer = await route.fetch()
      return route.fulfill({ response: answer, json: { ...(await answer.json()), hold: 'password_change' } })
    }
    if (route.request().method() === 'GET') return route.continue()
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: '',
        status: 403,
        detail: '',
        code: 'password_change_required',
        requestId: 'r',
      },
    })
  })
  await page.getByLabel('Registered name').press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Choose a password of your own' })
  await expect(dialog).toBeVisible()
  await expect(page.getByLabel('Registered name')).toHaveValue('Typed before the password was reset')
  await expectAccessible(page)
  await dialog.getByLabel('Current password', { exact: true }).fill(person.password)
  await dialog.getByLabel('New password', { exact: true }).fill('chosen over the page 85')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Typed before the password was reset' })).toBeVisible()
})
