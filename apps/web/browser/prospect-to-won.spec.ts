import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, fillSignIn, openSection, sendMove, signIn, unique } from './steps.ts'

test('a user signs in and takes a prospect from new to won, with evidence and notes', async ({ page }) => {
  // Runs axe ten times, which is slow on some machines.
  test.setTimeout(120_000)
  const name = unique('Karoo Solar (Pty) Ltd')

  await page.goto('/prospects/new')
  await expect(page.getByRole('heading', { name: 'Sign in to Prospect Platform' })).toBeVisible()
  await fillSignIn(page)

  // Continues to the requested page.
  await expect(page.getByRole('heading', { name: 'New prospect' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await page.getByLabel('Trading name').fill('Karoo Solar')
  await page.getByLabel('Email', { exact: true }).fill('Info@karoosolar.example')
  await page.getByRole('textbox', { name: 'Label of email 1' }).fill('general')
  await page.getByLabel('Phone', { exact: true }).fill('021 555 0101')
  await page.getByLabel('City').fill('Beaufort West')
  await page.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('solar')
  await page.getByRole('combobox', { name: 'Tags' }).press('Enter')
  await page.keyboard.press('Control+Enter')

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('tabpanel', { name: 'Overview' }).getByText('+27 21 555 0101')).toBeVisible()
  await page.getByRole('button', { name: /empty fields$/ }).click()
  await expect(page.getByText('Not known').first()).toBeVisible()

  // Evidence, added from a fact without any.
  await page.getByRole('button', { name: /^No evidence yet: add it for email/ }).click()
  await expect(page.getByLabel('Value in the source')).toHaveValue('Info@karoosolar.example')
  await page.getByLabel('Source', { exact: true }).fill('Their web site')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Their web site')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Supported by 1 observation, evidence for email' }).click()
  await expect(page.getByText('Agrees · Their web site')).toBeVisible()

  // A normal note and a sensitive one.
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await expect(page.getByLabel('New note')).toBeFocused()
  await page.keyboard.type('Owner is away until Monday.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Notes, newest first' })).toContainText('Owner is away until Monday.')
  await page.getByLabel('New note').fill('Daughter is ill: be patient.')
  await page.getByRole('switch', { name: 'Sensitive' }).check()
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('list', { name: 'Notes, newest first' }).getByRole('listitem')).toHaveCount(2)

  // From new to won, with the header's button and the pipeline tab.
  await page.getByRole('button', { name: 'Move to Contacted' }).click()
  await page.getByRole('tab', { name: 'Pipeline' }).click()
  const pipeline = page.getByRole('tabpanel', { name: 'Pipeline' })
  for (const move of ['Move to Qualified', 'Move to Proposal', 'Move to Negotiation']) {
    await pipeline.getByRole('button', { name: move }).click()
  }
  // The reason is optional.
  await pipeline.getByRole('button', { name: 'Mark as lost…' }).click()
  const why = pipeline.getByRole('textbox', { name: 'Reason (optional)' })
  await expect(why).toBeFocused()
  await page.keyboard.type('Budget went to another supplier')
  await page.keyboard.press('Control+Enter')
  await expect(pipeline.getByRole('heading', { name: 'In Lost' })).toBeVisible()
  await expect(pipeline.getByRole('list', { name: 'Moves, newest first' })).toContainText('Budget went to another')
  await pipeline.getByRole('button', { name: 'Reopen in negotiation…' }).click()
  await page.keyboard.type('They came back')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Other moves' }).click()
  await page.getByRole('menuitem', { name: 'Mark as won…' }).click()
  await expect(why).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(pipeline.getByRole('heading', { name: 'In Won' })).toBeVisible()
  await expect(pipeline.getByRole('list', { name: 'Moves, newest first' }).getByRole('listitem')).toHaveCount(8)

  // The activity tab lists all of it; the sensitive text appears only in the note.
  await openSection(page, 'Activity')
  const activity = page.getByRole('list', { name: 'Activity, newest first' })
  await expect(activity).toContainText('moved from Negotiation to Won')
  await expect(activity).toContainText('added evidence for email')
  await expect(activity).toContainText('added a sensitive note')
  await expect(activity).not.toContainText('Daughter')
  await expect(activity).toContainText('created the prospect')

  for (const tab of ['Overview', 'Evidence', 'Notes', 'Pipeline', 'Activity']) {
    await openSection(page, tab)
    await expect(
      page.getByRole('tabpanel', { name: tab }).getByRole('list').or(page.getByRole('term')).first(),
    ).toBeVisible()
    await expectAccessible(page)
  }
})

test('a won prospect can be reopened only with a reason', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Reopened') })
  for (const to of ['contacted', 'qualified', 'proposal', 'negotiation', 'won'])
    await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to })

  await page.goto(`/prospects/${id}?tab=pipeline`)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Reopen in negotiation…' }).click()
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('tabpanel').getByText('Enter a reason.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('They want to extend the contract')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'In Negotiation' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Moves, newest first' })).toContainText(
    'They want to extend the contract',
  )
})

test('a rejected move is shown, even if its menu or tab is no longer open', async ({ page }) => {
  await signIn(page)
  const name = unique('Moved by others')
  const { id } = await createBusiness(page, { name })
  await page.goto(`/prospects/${id}?tab=pipeline`)
  await expect(page.getByRole('heading', { name: 'In New' })).toBeVisible()
  const answers: (() => void)[] = []
  await page.route('**/pipeline-transitions', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((resolve) => answers.push(resolve))
    await route.continue()
  })
  await page.route(`**/api/v1/businesses/${id}`, (route) => route.abort())
  // Two other users move it on. This page cannot load the change and still shows New, on which both buttons depend.
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'qualified' })
  const refusal = page.getByRole('alert').filter({ hasText: 'Not moved to Contacted.' })

  await page.getByRole('tabpanel').getByRole('button', { name: 'Move to Contacted' }).click()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByLabel('New note')).toBeVisible()
  await sendMove(page, name)
  await expect.poll(() => answers.length).toBe(1)
  answers.pop()?.()
  await expect(refusal).toBeVisible()
  const notice = page.getByRole('region', { name: 'Move that is not recorded' })
  await expect(notice).toContainText('Not moved to Contacted.')
  await refusal.getByRole('button', { name: 'Dismiss' }).click()
  await expect(refusal).toBeHidden()
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()

  await page.getByRole('button', { name: 'Other moves' }).click()
  await page.getByRole('menuitem', { name: 'Move to Contacted' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await sendMove(page, name)
  await expect.poll(() => answers.length).toBe(1)
  answers.pop()?.()
  await expect(refusal).toBeVisible()
})
