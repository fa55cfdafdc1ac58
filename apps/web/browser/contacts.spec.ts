import type { Page } from '@playwright/test'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

/** Presses Tab until a control has the focus, then activates it. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

async function expectAccessibleAtBothWidths(page: Page): Promise<void> {
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `${size.width} px`).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  }
}

test('contact values go from a supplied page through extraction, release and acceptance to evidence, by keyboard', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  await page.setViewportSize(wide)
  const domain = `${unique('site').toLowerCase().replace(/\W+/g, '-')}.co.za`
  const name = unique('Karoo Fencing')
  await signIn(page)
  const { id } = await createBusiness(page, { name, domains: [{ value: domain }] })
  const site = await call<{ id: string; fingerprint: string }>(page, 'POST', `/businesses/${id}/official-sites`, {
    host: domain,
  })
  const validUntil = new Date(Date.now() + 90 * 86_400_000).toISOString()
  const approval = { decision: 'approve', reason: 'Their name.', fingerprint: site.fingerprint, validUntil }
  // The proposer cannot approve the site.
  const colleague = await otherPage(browser, baseURL)
  await signIn(colleague, null, await createPerson(browser, baseURL, 'manager'))
  await call(colleague, 'POST', `/official-sites/${site.id}/decision`, approval, { 'idempotency-key': unique('key') })

  await page.goto('/contacts/extraction')
  const checklist = page.getByRole('list', { name: 'Checklist' })
  await expect(checklist).toContainText('Approved official site · Done')
  await expectAccessibleAtBothWidths(page)
  await press(page, 'Enable extraction…')
  const enabling = page.getByRole('dialog', { name: 'Enable extraction?' })
  await expect(enabling.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('Their sites are approved.')
  await expectAccessibleAtBothWidths(page)
  await page.keyboard.press('Control+Enter')
  await expect(enabling).toBeHidden()
  await expect(page.getByRole('button', { name: 'Disable extraction…' })).toBeVisible()

  await page.goto(`/prospects/${id}?tab=website`)
  const contacts = page.getByRole('region', { name: 'Contacts' })
  await expect(contacts).toContainText('Nothing was extracted yet.')
  await expect(contacts).toContainText('First add a contact page above.')
  await press(page, 'Supply page…')
  const supplying = page.getByRole('dialog', { name: 'Supply page' })
  const field = (label: string) => supplying.getByRole('textbox', { name: label })
  await field('Or paste the text of the page').focus()
  const text = [
    `Contact ${name}`,
    'Telephone 021 555 0105 during the week',
    `Write to desk@${domain}`,
    'Bookkeeper: anna@hantam-books.co.za',
    'The logo is logo@2x.png',
  ]
  await page.keyboard.insertText(text.join('\n'))
  await field('Address of the page').focus()
  await page.keyboard.type(`https://${domain}/contact`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Contact page' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(supplying).toBeHidden()
  await press(page, 'Extract contacts')
  await expect(contacts).toContainText('2 to review · 1 quarantined · 0 protected · 1 excluded')
  await expectAccessibleAtBothWidths(page)

  await contacts.getByRole('link', { name: 'See the quarantine' }).focus()
  await page.keyboard.press('Enter')
  const quarantine = page.getByRole('region', { name: 'Of another domain' })
  await expect(quarantine).toContainText(`anna@hantam-books.co.za`)
  await expectAccessibleAtBothWidths(page)
  const released = page.getByRole('article', { name: `anna@hantam-books.co.za for ${name}` })
  await released.focus()
  await page.keyboard.press('Shift+L')
  const releasing = page.getByRole('dialog', { name: /^Release anna@/ })
  await expect(releasing.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('Their bookkeeper told us.')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(releasing).toBeHidden()
  await expect(released).toBeHidden()

  await page.getByRole('button', { name: 'Clear filters' }).first().focus()
  await page.keyboard.press('Enter')
  const mail = page.getByRole('article', { name: `desk@${domain} for ${name}` })
  await expect(mail).toContainText('Mail server not checked')
  await expect(mail.locator('mark')).toHaveText(`desk@${domain}`)
  await expectAccessibleAtBothWidths(page)
  while (!(await mail.evaluate((card) => card === document.activeElement))) await page.keyboard.press('j')
  await page.keyboard.press('y')
  const accepting = page.getByRole('dialog', { name: `Accept desk@${domain} for ${name}?` })
  await expect(accepting.getByRole('checkbox', { name: 'Add to record' })).toBeFocused()
  await page.keyboard.press('Space')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(accepting).toBeHidden()
  await expect(mail).toBeHidden()

  await page.goto(`/prospects/${id}?tab=evidence`)
  const evidence = page.getByRole('tabpanel')
  await expect(evidence).toContainText(`desk@${domain}`)
  await expect(evidence).toContainText('Official site')
  await page.goto(`/prospects/${id}?tab=website`)
  await expect(contacts).toContainText('2 to review · 0 quarantined · 0 protected · 1 excluded')
})
