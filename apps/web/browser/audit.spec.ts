import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('the audit log is filtered by its address, shows values before and after, and can be verified', async ({
  page,
}) => {
  await signIn(page)
  const name = unique(`Audited ${'and long '.repeat(17)}`)
  const { id } = await createBusiness(page, { name })

  await page.goto(`/audit?subjectType=business&subjectId=${id}`)
  const event = page.getByRole('link', { name: 'created the prospect' })
  await expect(event).toHaveCount(1)
  const row = page.getByRole('row').filter({ has: event })
  const record = row.getByRole('link', { name })
  await expect(record).toBeVisible()
  const heightOf = async () => (await row.boundingBox())?.height ?? 0
  expect(await heightOf()).toBeLessThan(72)
  await record.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  expect(await heightOf()).toBeGreaterThan(72)
  await event.click()
  const detail = page.getByRole('dialog', { name: 'Audit event' })
  await expect(detail).toContainText(name)
  await expectAccessible(page)

  // The address of an open event can be shared.
  await page.reload()
  await expect(detail).toContainText(name)
  await page.keyboard.press('Escape')
  await expect(detail).toBeHidden()

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/audit$/)
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'Sign-in', exact: true }).click()
  await expect(page).toHaveURL(/action=session\.start/)
  await expect(page.getByRole('link', { name: 'signed in' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'created the prospect' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('region', { name: 'Verification' })).toContainText(
    /Intact up to event \S+, not compared with a copy\./,
  )
  await expectAccessible(page)
})

test('an administrator enables the optional states, and a prospect is paused and reopened with reasons', async ({
  page,
}) => {
  await signIn(page, '/settings')
  await page.getByRole('switch', { name: 'Use “Paused”' }).check()
  await expect(page.getByRole('switch', { name: 'Use “Paused”' })).toBeEnabled()
  await expectAccessible(page)

  const { id } = await createBusiness(page, { name: unique('Resting') })
  await page.goto(`/prospects/${id}?tab=pipeline`)
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await page.getByRole('button', { name: 'Set aside as paused…' }).click()
  await expect(reason).toBeFocused()
  await page.keyboard.type('Owner travels until June')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'In Paused' })).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('button')).toHaveText(['Reopen in new…'])
  await page.getByRole('tabpanel').getByRole('button', { name: 'Reopen in new…' }).click()
  await expect(reason).toBeFocused()
  await page.keyboard.type('Back early')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'In New' })).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('switch', { name: 'Use “Paused”' }).uncheck()
  await expect(page.getByRole('switch', { name: 'Use “Paused”' })).toBeEnabled()
  await page.getByRole('switch', { name: 'Use “Paused”' }).check()
  await expect(page.getByRole('switch', { name: 'Use “Paused”' })).toBeEnabled()
})
