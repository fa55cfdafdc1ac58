import type { Page } from '@playwright/test'
import type { Business, Draft, DraftPolicy, Evidence, Session } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, expectAccessible, signIn, unique } from './steps.ts'

const sessionOf = async (page: Page): Promise<Session> => (await page.request.get('/api/v1/session')).json()

/** A policy for emails in South Africa that another person approved. */
async function havePolicy(page: Page, approver: Page): Promise<void> {
  const { user } = await sessionOf(page)
  const policy = await call<DraftPolicy>(page, 'POST', '/draft-policies', {
    jurisdiction: 'za',
    channel: 'email',
    legalBases: ['consent'],
    requiredFields: ['sender.name'],
    freshnessDays: { other: 365 },
    acknowledgeable: [],
    caps: {},
    optOutText: null,
    ownerId: user.id,
    endsAt: new Date(Date.now() + 100 * 86_400_000).toISOString(),
  })
  await call(approver, 'POST', `/draft-policies/${policy.id}/approvals`, { reason: 'Read it.' })
}

const observed = (value: string) => ({
  field: 'industry',
  value,
  observation: 'They repair windpumps.',
  sourceLabel: 'A visit',
  capturedAt: new Date(Date.now() - 86_400_000).toISOString(),
  confidence: 'high',
})

async function approveByKeys(page: Page, reason: string): Promise<void> {
  await page.keyboard.press('y')
  const dialog = page.getByRole('dialog', { name: 'Approve this draft?' })
  await dialog.getByLabel('Reason').fill(reason)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
}

test('a draft is written, approved by another person, sent back to review by new evidence, approved again and copied, by keyboard', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page)
  const manager = await createPerson(browser, baseURL, 'manager')
  const other = await otherPage(browser, baseURL)
  await signIn(other, null, manager)
  await havePolicy(page, other)
  const business = await call<Business>(page, 'POST', '/businesses', {
    name: unique('Karoo Pumps'),
    emails: [{ value: `info@${unique('pumps').replaceAll(/\W/g, '').toLowerCase()}.example` }],
    address: { country: 'ZA' },
  })
  const evidence = await call<Evidence>(page, 'POST', `/businesses/${business.id}/evidence`, observed('Windpumps'))
  await call(page, 'POST', `/businesses/${business.id}/legal-bases`, {
    kind: 'consent',
    channels: ['email'],
    purpose: 'introduction',
    jurisdiction: 'za',
    documentReference: 'Folder 7',
    from: new Date(Date.now() - 86_400_000).toISOString(),
    until: new Date(Date.now() + 86_400_000 * 100).toISOString(),
  })

  await page.goto(`/drafts/new?businessId=${business.id}`)
  await expect(page.getByLabel('Title')).toBeVisible()
  await page.getByLabel('Title').fill('First letter')
  await page.getByLabel('Subject').fill('Your windpumps')
  await page.getByLabel('Text', { exact: true }).fill('Good day. {{sender.name}}')
  await page.getByRole('combobox', { name: 'Cite evidence' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Text', { exact: true })).toHaveValue('Good day. {{sender.name}} [^1]')
  await expect(page.getByText('Passes Citations', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Title').press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'First letter' })).toBeVisible()
  await page.getByRole('button', { name: 'Request approval' }).press('Enter')
  await expect(page.getByText('In review').first()).toBeVisible()

  await other.goto('/drafts/approvals')
  await expect(other.getByText('They repair').or(other.getByText('Good day.')).first()).toBeVisible()
  await expectAccessible(other)
  await approveByKeys(other, 'It is right.')

  const draftId = page.url().split('/').at(-1) ?? ''
  await call(page, 'POST', `/businesses/${business.id}/evidence`, observed('Windpumps'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Why this needs review' })).toBeVisible()
  await expect(page.getByText('There is other evidence: industry.')).toBeVisible()
  await page.getByRole('button', { name: 'Request approval' }).press('Enter')
  await expect(page.getByText('In review').first()).toBeVisible()
  await other.goto(`/drafts/${draftId}`)
  await expect(other.getByRole('button', { name: 'Approve…' })).toBeVisible()
  await approveByKeys(other, 'Still right.')

  await page.reload()
  await page.getByRole('button', { name: 'Copy approved text' }).press('Enter')
  await expect(page.getByText('Copying does not send anything.', { exact: false })).toBeVisible()
  await expect(page.getByRole('status').getByText('Good day.', { exact: false })).toBeVisible()
  await expectAccessible(page)
  const draft: Draft = await (await page.request.get(`/api/v1/drafts/${draftId}`)).json()
  expect([draft.state, draft.copies.count, draft.citations[0]?.evidenceId]).toEqual(['approved', 1, evidence.id])
})
