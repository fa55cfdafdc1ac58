import type { Page } from '@playwright/test'
import type { Business, Draft, DraftPolicy, Evidence, Session } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** Creates a policy for emails in South Africa, approved by another user. */
async function havePolicy(page: Page, approver: Page): Promise<void> {
  const { user }: Session = await (await page.request.get('/api/v1/session')).json()
  const policy = await call<DraftPolicy>(page, 'POST', '/draft-policies', {
    jurisdiction: 'za',
    channel: 'email',
    legalBases: ['consent'],
    requiredFields: ['sender.name'],
    freshnessDays: { other: 365 },
    acknowledgeable: [],
    caps: { recipient: 2, person: 50, tenant: 200 },
    registryDays: null,
    optOutText: null,
    ownerId: user.id,
    endsAt: inDays(100),
  })
  await call(approver, 'POST', `/draft-policies/${policy.id}/approvals`, { reason: 'Read it.' })
}

const observe = (page: Page, { id }: Business): Promise<Evidence> =>
  call<Evidence>(page, 'POST', `/businesses/${id}/evidence`, {
    field: 'industry',
    value: 'Windpumps',
    observation: 'They repair windpumps.',
    sourceLabel: 'A visit',
    capturedAt: inDays(-1),
    confidence: 'high',
  })

/** Creates a prospect with an email address and a consent as legal basis. */
async function haveConsent(page: Page): Promise<Business> {
  const business = await createBusiness(page, {
    name: unique('Karoo Pumps'),
    emails: [{ value: `info@${unique('pumps').replaceAll(/\W/g, '').toLowerCase()}.example` }],
    address: { country: 'ZA' },
  })
  await call(page, 'POST', `/businesses/${business.id}/legal-bases`, {
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'Letters about windpumps.',
    channels: ['email'],
    purpose: 'introduction',
    jurisdiction: 'za',
    documentReference: 'Folder 7',
    from: inDays(-1),
    until: inDays(100),
  })
  return business
}

async function typeInto(page: Page, name: string, words: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).focus()
  await page.keyboard.type(words)
}

/** Runs axe in both themes, on a wide and on a narrow screen, and expects no horizontal overflow. */
async function expectAccessibleAtBothWidths(page: Page): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  }
}

async function approveByKeys(page: Page, reason: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Approve…' })).toBeEnabled()
  await page.keyboard.press('y')
  const dialog = page.getByRole('dialog', { name: /^Approve “First letter”/ })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
}

async function requestApproval(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request approval' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Withdraw request' })).toBeVisible()
}

test('a draft is written, approved by another user, invalidated by new evidence, approved again and copied, by keyboard', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  const manager = await createPerson(browser, baseURL, 'manager')
  const other = await otherPage(browser, baseURL)
  await signIn(other, null, manager)
  await havePolicy(page, other)
  const business = await haveConsent(page)
  const evidence = await observe(page, business)

  await page.goto(`/drafts/new?businessId=${business.id}`)
  await typeInto(page, 'Title', 'First letter')
  await typeInto(page, 'Subject', 'Your windpumps')
  await typeInto(page, 'Text', 'Good day. {{sender.name}}')
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await page.getByRole('combobox', { name: 'Cite evidence' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('Good day. {{sender.name}} [^1]')
  const checks = page.getByRole('list', { name: 'Checks' })
  await expect(checks.getByRole('listitem').filter({ hasText: 'Citations' })).toContainText('Passes')
  await checks.getByRole('link', { name: /^Go to it\s?: Recipient$/ }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Recipient' })).toBeFocused()
  await expectAccessibleAtBothWidths(page)
  await text.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'First letter' })).toBeVisible()
  await requestApproval(page)

  await other.goto('/drafts/approvals')
  await expect(
    other.getByText('Good day. Browser Administrator').or(other.getByText('Good day.').first()),
  ).toBeVisible()
  await expectAccessibleAtBothWidths(other)
  await approveByKeys(other, 'It is right.')

  await observe(page, business)
  await page.reload()
  const why = page.getByRole('region', { name: 'Why this needs review' })
  await expect(why).toContainText('The evidence changed: industry.')
  await expectAccessibleAtBothWidths(page)
  await requestApproval(page)
  await other.goto(new URL(page.url()).pathname)
  await approveByKeys(other, 'Still right.')

  await page.reload()
  await expect(page.getByText('Copying does not send anything.', { exact: false })).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy subject and text' }).press('Enter')
  await expect(page.getByRole('status').getByText('Copied to the clipboard: subject and text.')).toBeVisible()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  expect(await clipboard()).toMatch(/^Your windpumps\n\nGood day\. /)
  await page.getByRole('button', { name: 'Copy subject only' }).press('Enter')
  await expect(page.getByRole('status').getByText('Copied to the clipboard: subject.')).toBeVisible()
  expect(await clipboard()).toBe('Your windpumps')
  await expectAccessibleAtBothWidths(page)
  const draftId = page.url().split('/').at(-1)
  const draft: Draft = await (await page.request.get(`/api/v1/drafts/${draftId}`)).json()
  expect([draft.state, draft.copies.count, draft.citations[0]?.evidenceId]).toEqual(['approved', 1, evidence.id])

  await page.goto(`/prospects/${business.id}?tab=drafts`)
  await expect(page.getByRole('list', { name: 'Drafts, newest first' })).toContainText('Approved')
  await expect(page.getByRole('list', { name: 'Legal bases, newest first' })).toContainText('Folder 7')
  await expectAccessible(page)
  // The prospect stayed in its state; the activity says what the states belong to.
  await page.goto(`/prospects/${business.id}?tab=activity`)
  const activity = page.getByRole('list', { name: 'Activity, newest first' })
  await expect(activity.getByText('State of the draft').first()).toBeVisible()
  await expect(activity).not.toContainText('Pipeline state')
})

test('a consent by telephone states its recording, and an objection ends it', async ({ page }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page)
  const address = `${Date.now()}@windpumps.co.za`
  const business = await createBusiness(page, { name: unique('Consent Wells'), emails: [{ value: address }] })
  await page.goto(`/prospects/${business.id}?tab=drafts`)
  await page.getByRole('button', { name: 'Add a legal basis…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a legal basis' })
  await dialog.getByRole('combobox', { name: 'How they gave it' }).press('Enter')
  await page.getByRole('option', { name: 'By telephone' }).click()
  await dialog.getByRole('textbox', { name: 'What exactly they agreed to' }).fill('Offers of windpumps by email.')
  await dialog.getByRole('textbox', { name: 'Language' }).fill('af')
  await dialog.getByRole('combobox', { name: 'Country whose law applies' }).fill('South Africa')
  await page.getByRole('option', { name: 'South Africa' }).click()
  await dialog.getByRole('button', { name: 'Add legal basis' }).click()
  await expect(dialog.getByText('Enter where the recording of the call is stored.')).toBeVisible()
  await expectAccessibleAtBothWidths(page)
  await dialog.getByRole('textbox', { name: 'Recording' }).fill('Recorder 2, call 4711')
  await dialog.getByRole('button', { name: 'Add legal basis' }).click()
  await expect(dialog).toBeHidden()
  const bases = page.getByRole('list', { name: 'Legal bases, newest first' })
  await expect(bases).toContainText('Recorder 2, call 4711')
  await expectAccessibleAtBothWidths(page)

  const section = page.getByRole('region', { name: 'Legal bases' })
  await section.getByRole('button', { name: 'Mark as do not contact' }).click()
  const block = page.getByRole('dialog', { name: /as do not contact/ })
  await block.getByRole('textbox', { name: 'Reason' }).fill('They objected by phone.')
  await block.getByRole('combobox', { name: 'Received by' }).press('Enter')
  await page.getByRole('option', { name: 'Phone' }).click()
  await block.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect(block).toBeHidden()
  await expect(bases).toContainText('when the prospect was marked do not contact')
  await expect(section).toContainText('so nobody can add a legal basis')
  await expectAccessibleAtBothWidths(page)
})
