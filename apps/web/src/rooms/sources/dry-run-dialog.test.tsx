import type { SourceDryRun } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { businessOf } from '../../../test/business.ts'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sourceOf } from '../../../test/source.ts'
import { directoryAdapter, dnsAdapter } from '../../../test/source-adapters.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'

const planning = 'POST /sources/s1/dry-runs'
const plan: SourceDryRun = {
  id: 'q1',
  contractVersion: 1,
  planned: ['Query office for MX of karoo.example over UDP'],
  requests: 4,
  bytes: 262_144,
  minutes: 1,
  records: 2,
  fields: ['status'],
  rawRetention: 'days_180',
  stoppedBy: [{ item: 'scope', reason: 'The contract does not permit these fields: content_type.' }],
}
const inputs = () =>
  page.getByRole('dialog').getByRole('textbox').elements().length +
  page.getByRole('dialog').getByRole('combobox').elements().length

test('the dry run of a source for name servers asks for the fields of its query, and for no other', async () => {
  const { sentTo } = fakeApi({ [planning]: json(plan) })
  await renderInApp(
    <DialogSlot>
      <DryRunDialog source={sourceOf()} adapter={dnsAdapter} close={() => {}} />
    </DialogSlot>,
  )
  const domain = page.getByRole('textbox', { name: 'Domain' })
  await expect.element(domain).toBeVisible()
  expect(inputs()).toBe(2)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await expect.element(domain).toHaveAccessibleDescription(/Enter a value/)
  expect(sentTo(planning)).toEqual([])
  await userEvent.fill(domain, 'karoo.example')
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await expect.element(page.getByText('Query office for MX of karoo.example over UDP')).toBeVisible()
  expect(sentTo(planning).map(({ body }) => body)).toEqual([{ query: { name: 'karoo.example', kind: 'MX' } }])
  await expect.element(page.getByText('scope: The contract does not permit these fields: content_type.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).toMatchTextContent('MB, at most0,27')
  await expect.element(page.getByText('180 days')).toBeVisible()
})

test('the prospect of a query is searched by name', async () => {
  const { sentTo } = fakeApi({
    [planning]: json(plan),
    'GET /businesses': json({
      items: [businessOf({ id: 'b1', name: 'Karoo Windpumps' })],
      page: { limit: 8, returned: 1, nextCursor: null, total: null },
    }),
  })
  const contract = { scope: { fields: ['name'], provinces: ['GP' as const], maxRecords: 20 } }
  await renderInApp(
    <DialogSlot>
      <DryRunDialog source={sourceOf({ contract })} adapter={directoryAdapter} close={() => {}} />
    </DialogSlot>,
  )
  await userEvent.fill(page.getByRole('combobox', { name: 'Prospect' }), 'Karoo')
  await page.getByRole('option', { name: /Karoo Windpumps/ }).click()
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  const query = { businessId: 'b1', fields: ['name'], provinces: ['GP'], maxRecords: 20 }
  await expect.poll(() => sentTo(planning).map(({ body }) => body)).toEqual([{ query }])
})

test('without its adapter, a dry run checks what the contract limits', async () => {
  const { sentTo } = fakeApi({ [planning]: json({ ...plan, planned: [] }) })
  await renderInApp(
    <DialogSlot>
      <DryRunDialog source={sourceOf()} adapter={undefined} close={() => {}} />
    </DialogSlot>,
  )
  await expect.element(page.getByText(/only the limits that were set for the source are checked/)).toBeVisible()
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await expect.element(page.getByText('Unknown, because the connector is not installed')).toBeVisible()
  const query = { fields: ['status', 'records', 'ttl', 'aliases'], provinces: [], maxRecords: 2 }
  expect(sentTo(planning).map(({ body }) => body)).toEqual([{ query }])
})
