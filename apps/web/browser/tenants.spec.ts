import type { Page } from '@playwright/test'
import { expect, switcher, tenants, test } from './fixtures.ts'
import { expectAccessible, signIn } from './steps.ts'

const current = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} ?, switch tenant`) })

/** From whichever of the two the page works in. */
async function workIn(page: Page, name: string) {
  const menu = page.getByRole('button', { name: /switch tenant/ })
  if (((await menu.textContent()) ?? '').includes(name)) return
  await menu.click()
  await page.getByRole('menuitem', { name }).click()
  await expect(current(page, name)).toBeVisible()
}

test('a switch of tenant needs no sign-in, and what a person may do follows it', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.first)
  await page.goto('/settings/people')
  await expect(page.getByText('You may not see the people of this tenant')).toBeVisible()
  await expectAccessible(page)

  await workIn(page, tenants.second)
  await page.goto('/settings/people')
  await expect(page.getByRole('row', { name: switcher.email })).toContainText('Administrator')

  await workIn(page, tenants.first)
  await page.goto('/settings')
  await expect(page.getByText('Only administrators change these.')).toBeVisible()
})

test('the last administrator can neither be deleted nor disabled, and the refusal says why', async ({ page }) => {
  await signIn(page, '/prospects', switcher)
  await workIn(page, tenants.second)
  await page.goto('/settings/people')
  for (const [item, button] of [
    ['Delete…', 'Delete'],
    ['Disable…', 'Disable'],
  ] as const) {
    await page.getByRole('button', { name: `Manage ${switcher.name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('administrator')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await expect(page.getByRole('row', { name: switcher.email })).not.toContainText('Disabled')
})
