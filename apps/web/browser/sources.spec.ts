import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import type { Job, Session, Source, SourceDesks } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, seedVariable, test } from './fixtures.ts'
import { type RunningApp, startApp } from './server.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/* Runs on its own app, with an adapter that has no network and fails every request. */

const sourceTest = test.extend<object, { app: RunningApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of required fixtures from this pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'prospect-browser-adapters-'))
      const kit = resolve('packages/adapter-contract/test-kit/fixture-adapter.ts')
      const file = join(folder, 'adapters.mjs')
      writeFileSync(
        file,
        `import { fail, fixtureAdapter } from ${JSON.stringify(kit)}
         export default [fixtureAdapter({ script: () => fail('server_error') }).adapter]`,
      )
      const seed = process.env[seedVariable]
      if (seed === undefined) throw new Error(`global-setup.ts did not set ${seedVariable}.`)
      const app = await startApp({ seed, logName: 'sources', settings: { ADAPTERS_FILE: file } })
      await use(app)
      await app.stop()
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const contract = {
  purposes: ['business_records'],
  scope: { fields: ['name'], provinces: [], maxRecords: 10 },
  rate: { perMinute: 30, perDay: 1_000 },
  concurrency: 2,
  timeoutMs: 5_000,
  maxBytes: 100_000,
  retry: { maxAttempts: 1 },
  rawRetention: 'days_180',
  health: { failureRatio: 0.2, latencyMs: 2_000 },
  circuit: { failureRatio: 0.5, consecutiveFailures: 1, latencyMs: 4_000, closeAfterSuccesses: 2 },
  settings: { region: 'north' },
}

async function decide(page: Page, button: string, dialog: RegExp, confirm: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const asked = page.getByRole('dialog', { name: dialog })
  await asked.getByLabel('Reason').fill('Checked with the provider.')
  await asked.getByRole('button', { name: confirm, exact: true }).click()
  await expect(asked).toBeHidden()
}

const sessionOf = async (page: Page): Promise<Session> => (await page.request.get('/api/v1/session')).json()

sourceTest(
  'a source goes from a draft to enabled, is stopped by a failure, and is reset with an approved record',
  async ({ app, page, browser }) => {
    sourceTest.setTimeout(120_000)
    const people = [
      await createPerson(browser, app.url, 'manager'),
      await createPerson(browser, app.url, 'manager'),
      await createPerson(browser, app.url, 'manager'),
    ]
    const pages: Page[] = []
    for (const person of people) {
      const other = await otherPage(browser, app.url)
      await signIn(other, null, person)
      pages.push(other)
    }
    const [product, legal, security] = pages
    if (product === undefined || legal === undefined || security === undefined) throw new Error('Three people approve.')

    await signIn(page, '/sources')
    const name = unique('Directory')
    await page.getByRole('button', { name: 'Propose source' }).click()
    const proposal = page.getByRole('dialog', { name: 'Propose source' })
    await proposal.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await proposal.getByLabel('Short name').fill(`directory-${Date.now()}`)
    await proposal.getByRole('combobox', { name: 'Connector', exact: true }).click()
    await page.getByRole('option', { name: 'fixture 1.0.0' }).click()
    await proposal.getByLabel('Concurrent requests').fill('2')
    await proposal.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByText('Disabled: terms are missing', { exact: false })).toBeVisible()
    await expect(page.getByText('Incomplete', { exact: true })).toBeVisible()

    const sourceId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const { user } = await sessionOf(page)
    const terms = {
      ownerId: user.id,
      reference: 'Agreement',
      reviewDueOn: new Date(Date.now() + 2e10).toISOString().slice(0, 10),
    }
    await call<Source>(page, 'POST', `/sources/${sourceId}/versions`, { contract: { ...contract, terms } })
    const ids = await Promise.all(pages.map(async (one) => (await sessionOf(one)).user.id))
    const desks = { product: [ids[0]], legal: [ids[1]], security: [ids[2]] }
    await call<SourceDesks>(page, 'PUT', '/source-desks', desks, { 'if-match': '"0"' })

    await page.reload()
    await expect(page.getByText('Needs product approval')).toBeVisible()
    await expectAccessible(page)
    for (const [at, desk] of [
      [product, 'product'],
      [legal, 'legal'],
      [security, 'security'],
    ] as const) {
      await at.goto(`/sources/${sourceId}`)
      await decide(at, 'Approve…', new RegExp(`^Approve .* for the ${desk} desk`), 'Approve')
    }
    await expect(security.getByText('Approved, not enabled')).toBeVisible()
    await decide(security, 'Enable…', /^Enable /, 'Enable')
    await expect(security.getByText('Enabled: all conditions are met.')).toBeVisible()

    const { id: businessId } = await createBusiness(page, { name: unique('Asked about') })
    const query = { businessId, fields: ['name'], provinces: [], maxRecords: 1 }
    const job = await call<Job>(
      page,
      'POST',
      `/sources/${sourceId}/queries`,
      { purpose: 'business_records', query },
      { 'idempotency-key': unique('query') },
    )
    await expect
      .poll(async () => (await (await page.request.get(`/api/v1/jobs/${job.id}`)).json()).status)
      .toBe('succeeded')
    await page.goto(`/sources/${sourceId}`)
    await expect(page.getByText('Disabled: it was stopped after failures.')).toBeVisible()
    await expect(page.getByText('Stopped after failures').first()).toBeVisible()

    await page.getByRole('button', { name: 'Record incident or change…' }).click()
    const incident = page.getByRole('dialog', { name: 'Record incident or change' })
    await incident.getByLabel('Description').fill('The provider was down for an hour.')
    await incident.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(incident).toBeHidden()
    await expect(page.getByRole('list', { name: 'Records of this stop, newest first' })).toContainText(
      'Waiting for another person',
    )
    await legal.goto('/sources/incidents')
    await expectAccessible(legal)
    await decide(legal, 'Approve…', /^Approve this record/, 'Approve')
    await page.goto(`/sources/${sourceId}`)
    await decide(page, 'Restart source…', /^Restart source/, 'Restart')
    await expect(page.getByText('Enabled, on probation', { exact: false })).toBeVisible()
    await expectAccessible(page)
    for (const other of pages) await other.context().close()
  },
)

sourceTest(
  'a reference is recorded on a prospect, shows which facts came from it, and its text is deleted with a reason',
  async ({ page }) => {
    await signIn(page)
    const { id } = await createBusiness(page, { name: unique('Recorded') })
    await page.goto(`/prospects/${id}?tab=source-records`)
    await page.getByRole('button', { name: 'Record reference…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record reference' })
    await dialog.getByRole('textbox', { name: 'Origin', exact: true }).fill('Trade directory')
    await dialog.getByRole('textbox', { name: 'Original text' }).fill('Overberg Fencing, 12 Long Street')
    await dialog.getByRole('button', { name: 'Add observation' }).click()
    await dialog.getByLabel('Value').fill('Overberg Fencing')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Record', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Overberg Fencing, 12 Long Street')).toBeVisible()
    await expect(page.getByText('1 fact was taken from it')).toBeVisible()
    await decide(page, 'Delete text…', /^Delete text/, 'Delete text')
    await expect(page.getByText('The text was deleted', { exact: false })).toBeVisible()
    await expectAccessible(page)
  },
)
