import type { AccessToken, Business } from '@prospect/api-client'
import { createPerson } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, signIn, unique } from './steps.ts'

test('a member creates an access token, a program works with it, and a manager revokes it', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  const name = unique('Warehouse sync')
  await signIn(page, '/profile/security', person)
  await page.getByRole('button', { name: 'New access token…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByText('Prospects', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'All of: Prospects' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^pp_[0-9A-Za-z]{71}$/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'Your access tokens' })).toContainText(name)
  await expect(page.getByText(secret)).toBeHidden()

  // The program: no cookie, through the web server as from outside.
  const program = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    extraHTTPHeaders: { authorization: `Bearer ${secret}` },
  })
  const prospect = unique('Made by a program')
  const made = await program.request.post('/api/v1/businesses', { data: { name: prospect } })
  expect(made.status(), await made.text()).toBe(201)
  const { id }: Business = await made.json()

  const managerContext = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const manager = await managerContext.newPage()
  await signIn(manager, `/prospects/${id}?tab=activity`)
  await expect(manager.getByText(`${person.name} with the token ${name}`).first()).toBeVisible()
  await manager.goto('/settings/tokens')
  await expect(manager.getByRole('row', { name: new RegExp(name) })).toContainText(person.name)
  await expectAccessible(manager)
  await manager.getByRole('button', { name: `Revoke ${name}` }).click()
  await manager.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(manager.getByRole('row', { name: new RegExp(name) })).toContainText('Revoked')
  const refused = await program.request.get('/api/v1/businesses')
  expect([refused.status(), (await refused.json()).detail]).toEqual([
    401,
    'This access token was revoked. Create another one.',
  ])
  const { items }: { items: AccessToken[] } = await (await page.request.get('/api/v1/tokens')).json()
  expect(items).toMatchObject([{ name, status: 'revoked' }])
  await program.close()
  await managerContext.close()
})
