import type { Browser, Page } from '@playwright/test'
import type { AssistPolicy, Role, Session, Source } from '@prospect/api-client'
import { type ModelServer, startModelServer } from '../../../script/lib/model-server.ts'
import { createPerson, otherPage } from './accounts.ts'
import { expect, seedVariable, test } from './fixtures.ts'
import { type RunningApp, startApp } from './server.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/* Runs on its own app, with the provider adapter and a scripted model on the loopback interface. */

const assistTest = test.extend<object, { model: ModelServer; app: RunningApp }>({
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it must make from this pattern
    async ({}, use) => {
      const model = await startModelServer()
      await use(model)
      await model.stop()
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ model }, use) => {
      const seed = process.env[seedVariable]
      if (seed === undefined) throw new Error(`global-setup.ts did not set ${seedVariable}.`)
      const settings = { ADAPTERS_FILE: model.adaptersFile }
      const app = await startApp({ seed, logName: 'assistance', settings })
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
const sessionOf = async (page: Page): Promise<Session> => (await page.request.get('/api/v1/session')).json()

async function member(browser: Browser, app: RunningApp, role: Role): Promise<Page> {
  const person = await createPerson(browser, app.url, role)
  const page = await otherPage(browser, app.url)
  await signIn(page, null, person)
  return page
}

/** Registers the source, has three desks approve it, and enables it. Returns its id. */
async function enableSource(administrator: Page, author: Page, desks: Record<string, Page>): Promise<string> {
  const { user } = await sessionOf(administrator)
  const people = await Promise.all(
    Object.entries(desks).map(async ([desk, page]) => [desk, [(await sessionOf(page)).user.id]]),
  )
  await call(administrator, 'PUT', '/source-desks', Object.fromEntries(people), { 'if-match': '"0"' })
  const contract = {
    purposes: ['prospect_summary', 'draft_text'],
    scope: { fields: ['text', 'finish_reason', 'usage'], provinces: [], maxRecords: 1 },
    rate: { perMinute: 60, perDay: 1_000 },
    ...{ concurrency: 2, timeoutMs: 20_000, maxBytes: 65_536, retry: { maxAttempts: 1 }, rawRetention: 'days_30' },
    health: { failureRatio: 0.5, latencyMs: 20_000 },
    circuit: { failureRatio: 0.9, consecutiveFailures: 9, latencyMs: 20_000, closeAfterSuccesses: 1 },
    settings: {},
    terms: { ownerId: user.id, reference: 'Own server', reviewDueOn: inDays(300).slice(0, 10) },
  }
  const adapter = { id: 'openai-compatible', version: '0.1.0' }
  const source = { slug: 'own-model', name: 'Own model', adapter, contract }
  const { id, fingerprint } = await call<Source>(author, 'POST', '/sources', source)
  const decision = { fingerprint, reason: 'Checked with the operator.', endsAt: inDays(100) }
  for (const [desk, page] of Object.entries(desks))
    await call(page, 'POST', `/sources/${id}/approvals`, { ...decision, desk, decision: 'approve' })
  await call(administrator, 'POST', `/sources/${id}/enablement`, { ...decision, endsAt: inDays(60) })
  return id
}

async function approvePolicy(administrator: Page, approver: Page, sourceId: string): Promise<void> {
  const { user } = await sessionOf(administrator)
  const content = {
    ...{ purposes: ['prospect_summary'], sourceId, sourceVersion: 1, dataClasses: ['claims'], redactionVersion: 2 },
    ...{ retention: 'days_30', freshnessDays: {}, ownerId: user.id },
    budgets: { callsPerMinute: 9, callsPerDay: 50, tokensPerDay: 500_000, costPerDay: 900, costPerMonth: 9_000 },
    prices: { inputPerMillionTokens: 100, outputPerMillionTokens: 400, currency: 'ZAR' },
  }
  const { id, fingerprint } = await call<AssistPolicy>(administrator, 'POST', '/assist/policies', content)
  await call(administrator, 'POST', `/assist/policies/${id}/submission`, {})
  const approval = { fingerprint, reason: 'Reviewed with the owner.', endsAt: inDays(90) }
  await call(approver, 'POST', `/assist/policies/${id}/approvals`, approval)
}

/** Presses Tab until the element has the focus, as a person without a mouse does. */
async function tabTo(page: Page, name: string, role: 'button' | 'checkbox' | 'textbox'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).first()
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 120; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}.`)
}

assistTest(
  'evidence is chosen, previewed and requested by keyboard, and another person decides on the suggestion',
  async ({ app, model, page, browser }) => {
    assistTest.setTimeout(180_000)
    const [operator, manager] = [await member(browser, app, 'operator'), await member(browser, app, 'manager')]
    const desks = {
      product: await member(browser, app, 'manager'),
      legal: await member(browser, app, 'manager'),
      security: await member(browser, app, 'manager'),
    }
    await signIn(page)
    await approvePolicy(page, manager, await enableSource(page, manager, desks))
    const { id } = await createBusiness(operator, { name: unique('Assisted') })
    await call(operator, 'POST', `/businesses/${id}/evidence`, {
      ...{ field: 'industry', value: 'Windpumps and boreholes', sourceLabel: 'Company register' },
      ...{ capturedAt: new Date(Date.now() - DAY_MS).toISOString(), confidence: 'high' },
    })

    await operator.setViewportSize({ width: 1440, height: 900 })
    await operator.goto(`/prospects/${id}?tab=assistance`)
    await tabTo(operator, 'Industry: Windpumps and boreholes', 'checkbox')
    await operator.keyboard.press('Space')
    await tabTo(operator, 'Preview what will be sent', 'button')
    await operator.keyboard.press('Enter')
    const preview = operator.getByRole('region', { name: 'Preview' })
    await expect(preview).toContainText('0 values hidden. 0 observations left out.')
    await preview.locator('summary', { hasText: 'See what is sent' }).press('Enter')
    await expect(preview).toContainText('Windpumps and boreholes')
    await expect(preview).not.toContainText(id)
    await expectAccessible(operator)
    expect(model.calls()).toBe(0)
    await tabTo(operator, 'Request suggestion', 'button')
    await operator.keyboard.press('Enter')

    const own = operator.getByRole('list', { name: 'Suggestions, newest first' })
    await expect(own).toContainText('Waiting for approval')
    await expect(own).toContainText('AI draft — human review required')
    await expect(own).toContainText('You requested this suggestion, so another person must decide.')
    await expect(own.getByRole('button', { name: 'Approve…' })).toBeHidden()
    expect(model.calls()).toBe(1)
    await operator.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(operator)

    await manager.goto(`/prospects/${id}?tab=assistance`)
    const list = manager.getByRole('list', { name: 'Suggestions, newest first' })
    const claim = list.getByRole('list', { name: 'Claims' })
    await expect(claim.locator('blockquote')).toHaveText('Windpumps and boreholes')
    await claim.locator('summary').press('Enter')
    await expect(claim).toContainText('Company register')
    await tabTo(manager, 'Approve…', 'button')
    await manager.keyboard.press('Enter')
    const dialog = manager.getByRole('dialog', { name: 'Approve this suggestion?' })
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await manager.keyboard.type('Compared with its quote.')
    await expectAccessible(manager)
    await manager.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    await expect(list).toContainText('Approved')
    await expect(list).toContainText('Compared with its quote.')

    // New evidence that supersedes the cited one ends the approval, with a reason and a next step.
    const { items } = await (await operator.request.get(`/api/v1/businesses/${id}/evidence`)).json()
    await call(operator, 'POST', `/businesses/${id}/evidence`, {
      ...{ field: 'industry', value: 'Pumps', sourceLabel: 'A visit', supersedesId: items[0].id },
      ...{ capturedAt: new Date().toISOString(), confidence: 'high' },
    })
    await manager.reload()
    await expect(list).toContainText('Evidence changed')
    await manager.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(manager)

    await page.goto('/settings/assistance')
    await expect(page.getByRole('row', { name: /Calls per day/i }).first()).toContainText('1')
    await expectAccessible(page)

    const { tenant } = await sessionOf(page)
    expect(await app.cli(['assist', 'try', '--tenant', tenant.id])).toBe('passed\t2')
    expect(model.calls()).toBe(2)
  },
)
