import { expect, test } from './fixtures.ts'
import { expectAccessible, signIn } from './steps.ts'

const report = {
  report: 'phase17-final-acceptance',
  version: 1,
  scope: 'local-repository-acceptance',
  passed: false,
  checks: {
    run: {
      started_at: '2026-11-21T08:00:00.000Z',
      ended_at: '2026-11-21T08:01:00.000Z',
      commit: '52dc622f0d0c4f0e8f5b1d2a3c4e5f60718293a4',
      product_version: '0.2.0-dev',
      image_digest: null,
      configuration_revision: 'd4dd60b329398706',
      schema_version: 15,
      node: '26.10.0',
      adapters: { file: null, items: [] },
    },
    checklist: [
      { item: 'Restrict exposure', status: 'not_shown', how: 'The run does not look at the network of the host.' },
      { item: 'Contact extraction', status: 'not_applicable', how: 'Extraction is not enabled here.' },
    ],
    gates: {
      access: {
        title: 'Authentication and roles',
        phase: null,
        status: 'built',
        passed: true,
        results: [{ name: 'a viewer changes nothing', passed: true, found: 'It was refused as permission_denied.' }],
      },
      phase_4: {
        title: 'Jobs',
        phase: 4,
        status: 'partial',
        passed: false,
        results: [
          { name: 'a job is made once per key', passed: true, found: 'One job of two requests.' },
          { name: 'a job is cancelled', passed: false, found: 'The cancelled job has another final status.' },
        ],
      },
      phase_7: {
        title: 'Domain intelligence',
        phase: 7,
        status: 'contract_only',
        passed: true,
        results: [{ name: 'a suffix is refused', passed: true, found: 'It was refused.' }],
      },
      phase_13: {
        title: 'Optional AI assistance',
        phase: 13,
        status: 'disabled',
        passed: true,
        results: [{ name: 'the disabled state names what is missing', passed: true, found: 'Nine items.' }],
      },
    },
  },
  capacity_smoke: {
    passed: true,
    machine: { processor: 'AMD EPYC', processors: 2, memory_mb: 7900, load_average: 0.4 },
    loads: {
      create: { requests: 200, connections: 8, failures: 0, per_second: 812, p50_ms: 8.1, p99_ms: 21.4 },
      list: { requests: 400, connections: 8, failures: 0, per_second: 2100, p50_ms: 3.2, p99_ms: 9.9 },
    },
  },
  blockers: [
    { gate: 'phase_4', status: 'failed', reason: 'a job is cancelled: The cancelled job has another final status.' },
    {
      gate: 'phase_7',
      status: 'contract_only',
      reason: 'Fixtures were tried. No resolver was queried. To go live, load one.',
    },
    { gate: 'tls', status: 'not_shown', reason: 'The run was over plain HTTP.' },
  ],
  limitations: ['One process, one disk.'],
}

test('without a report the page says how to make one', async ({ page }) => {
  await signIn(page, '/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Acceptance' }).click()
  await expect(page.getByText('No acceptance run yet')).toBeVisible()
  await expect(page.getByText('script/acceptance', { exact: true })).toBeVisible()
  await expectAccessible(page)
})

test('every settings page can be opened from the palette', async ({ page }) => {
  await signIn(page, '/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('acceptance')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/acceptance$/)
})

test('the report shows verdict, blockers, checks, checklist and limitations', async ({ page }) => {
  await page.route('**/api/v1/acceptance-report', (route) => route.fulfill({ json: { report, olderReport: null } }))
  await signIn(page, '/settings/acceptance')
  await expect(page.getByText('Not passed', { exact: true })).toBeVisible()
  const blockers = page.getByRole('region', { name: 'Blockers' }).getByRole('listitem')
  await expect(blockers).toHaveCount(3)
  await expect(blockers.first()).toContainText('Jobs')
  const gates = page.getByRole('region', { name: 'Checks by phase' })
  for (const word of ['Passed', 'Failed', 'Contract only', 'Disabled'])
    await expect(gates.getByText(word, { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Deployment checklist' }).getByRole('listitem')).toHaveCount(2)
  // The gate with a failed check is expanded; the others are collapsed.
  await expect(page.getByText('The cancelled job has another final status.', { exact: true })).toBeVisible()
  await expect(page.getByText('It was refused as permission_denied.')).toBeHidden()
  await page.getByText('Authentication and roles').click()
  await expect(page.getByText('It was refused as permission_denied.')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Create 200 8 0 812/ })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('a report of an older version is not shown as passed', async ({ page }) => {
  const olderReport = { endedAt: '2026-01-02T08:00:00.000Z', productVersion: '0.1.0' }
  await page.route('**/api/v1/acceptance-report', (route) => route.fulfill({ json: { report: null, olderReport } }))
  await signIn(page, '/settings/acceptance')
  await expect(page.getByText('Made by an older version', { exact: true })).toBeVisible()
  await expect(page.getByText('Passed', { exact: true })).toBeHidden()
  await expectAccessible(page)
})
