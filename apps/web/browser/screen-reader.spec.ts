import { expect, test } from './fixtures.ts'
import { signIn } from './steps.ts'

test('a filter is chosen from as in any other list: which option Enter takes is told, and Tab goes on beside it', async ({
  page,
}) => {
  await signIn(page, '/prospects')
  const add = page.getByRole('button', { name: 'Add a filter' })
  await add.press('Enter')
  await page.getByRole('menuitem', { name: 'Province' }).press('Enter')
  const field = page.getByRole('combobox', { name: 'Province' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.type('gaut')
  const told = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`)
  await expect(told).toHaveText('Gauteng')
  await page.keyboard.press('Enter')
  const chip = page.getByRole('button', { name: /^Province: .*Gauteng/ })
  await expect(chip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /Remove the filter/ })).toBeFocused()
  await expect(field).toBeHidden()
})
