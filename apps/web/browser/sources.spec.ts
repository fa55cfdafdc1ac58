import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import type { Job, Session } from '@prospect/api-client'
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
    await proposal.getByRole('combobox', { name: 'Terms owner' }).click()
    await page.getByRole('option').first().click()
    await proposal.getByLabel('Terms reference').fill('Agreement')
    await proposal
      .getByRole('textbox', { name: 'Terms are reviewed by' })
      .fill(new Date(Date.now() + 2e10).toISOString().slice(0, 10))
    await proposal.getByRole('combobox', { name: 'Raw text is stored for' }).click()
    await page.getByRole('option', { name: '180 days' }).click()
    await proposal.getByRole('combobox', { name: 'Fields' }).fill('name')
    await page.keyboard.press('Enter')
    await proposal.getByRole('combobox', { name: 'Region' }).click()
    await page.getByRole('option', { name: 'north' }).click()
    await proposal.getByRole('button', { name: 'Fill in usual limits' }).click()
    // The first failure stops this source.
    await proposal.getByLabel('Stop after failures in a row').fill('1')
    await expectAccessible(page)
    await proposal.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

    const sourceId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const contract = page.getByRole('list', { name: 'Contract' })
    await expect(contract).toContainText('nobody is on the product desk')
    await page.getByRole('button', { name: 'Choose people…' }).first().click()
    const desks = page.getByRole('dialog', { name: 'Desks' })
    for (const [desk, one] of [
      ['Product', product],
      ['Legal', legal],
      ['Security', security],
    ] as const) {
      await desks.getByRole('combobox', { name: desk }).fill((await sessionOf(one)).user.name)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    await desks.getByRole('button', { name: 'Save desks' }).click()
    await expect(desks).toBeHidden()

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
    await expect(security.getByText('Enabled. All conditions are met.')).toBeVisible()

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
    await expect(page.getByText('Disabled, because the source was stopped after failures.')).toBeVisible()
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
    await expect(page.getByText('1 fact was taken from this record')).toBeVisible()
    await decide(page, 'Delete text…', /^Delete text/, 'Delete text')
    await expect(page.getByText('The text was deleted', { exact: false })).toBeVisible()
    await expectAccessible(page)
  },
)
