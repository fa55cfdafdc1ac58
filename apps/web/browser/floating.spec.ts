import { expect, test } from './fixtures.ts'
import { createBusiness, signIn, unique } from './steps.ts'

test('a menu that is clicked before its code has loaded opens when it has', async ({ page }) => {
  const pressed = Promise.withResolvers<void>()
  await page.route('**/assets/floating-menu-*.js', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await signIn(page, '/prospects')
  const button = page.getByRole('button', { name: 'Add filter' })
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('menu')).toBeHidden()
  pressed.resolve()
  await page.getByRole('menuitem', { name: 'Province' }).click()
  await expect(page.getByRole('listbox', { name: 'Province' })).toBeVisible()
})

test('floating elements open and close by keyboard and mouse, and return the focus to their button', async ({
  page,
}) => {
  await signIn(page, '/prospects')
  await createBusiness(page, { name: unique('Floating') })
  await page.reload()
  for (const [name, role] of [
    ['Column State', 'menu'],
    ['Columns and density', 'dialog'],
  ] as const) {
    const button = page.getByRole('button', { name })
    const floating = page.getByRole(role, { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(floating).toBeVisible()
    await expect.poll(() => floating.evaluate((node) => node.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(floating).toBeHidden()
    await expect(button).toBeFocused()

    await button.click()
    await expect(floating).toBeVisible()
    await button.click()
    await expect(floating).toBeHidden()
    await button.click()
    await expect(floating).toBeVisible()
    await page.getByRole('heading', { name: 'Prospects' }).click()
    await expect(floating).toBeHidden()
  }
})

test('the icons of a collapsed sidebar have tooltips on hover and on keyboard focus', async ({ page }) => {
  await signIn(page, '/prospects')
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  const jobs = page.getByRole('link', { name: 'Jobs' })
  const tooltip = page.getByRole('tooltip', { name: 'Jobs' })
  await jobs.hover()
  await expect(tooltip).toBeVisible()
  await page.mouse.move(600, 400)
  await expect(tooltip).toBeHidden()
  await page.getByRole('link', { name: 'Reports' }).focus()
  for (let moves = 0; moves < 10 && !(await jobs.evaluate((link) => link === document.activeElement)); moves++)
    await page.keyboard.press('Tab')
  await expect(jobs).toBeFocused()
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
})

test('a menu that is longer than the window ends at its edge, and its last item can be clicked', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 420 })
  await signIn(page, '/prospects')
  await page.getByRole('button', { name: 'Add filter' }).click()
  const menu = page.getByRole('menu', { name: 'Add filter' })
  await expect
    .poll(async () => {
      const box = await menu.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 420
    })
    .toBe(true)
  expect(await menu.evaluate((node) => node.scrollHeight > node.clientHeight)).toBe(true)
  await menu.getByRole('menuitem', { name: 'Follow-up due next week' }).click()
  await expect(page).toHaveURL(/followUp=next_week/)
})
