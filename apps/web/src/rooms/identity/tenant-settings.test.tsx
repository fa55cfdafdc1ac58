import type { Tenant } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { TenantSettings } from './tenant-settings.tsx'

const tenant: Tenant = {
  id: 'tenant-1',
  version: 3,
  name: 'Karoo Trading',
  timeZone: 'Africa/Johannesburg',
  country: 'ZA',
  locale: 'en-ZA',
  suppressionReviewMonths: null,
  tokensAllowed: true,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
}
const asAdministrator = sessionOf({ permissions: ['tenant.configure'] })

test('the format of dates and numbers is chosen by an example, and the app uses it after saving', async () => {
  const saved = { ...tenant, locale: 'en-US' as const, version: 4 }
  const api = fakeApi({
    'GET /tenant': json(tenant),
    'GET /phone-countries': json({ countries: [{ code: 'ZA', callingCode: '27' }] }),
    'PATCH /tenant': json(saved),
    'GET /session': json({ ...asAdministrator, tenant: { ...asAdministrator.tenant, locale: 'en-US' } }),
  })
  const date = <DateTime at="2026-11-05T10:00:00Z" as="date" />
  await renderInApp(
    <>
      <TenantSettings />
      {date}
    </>,
    { session: asAdministrator },
  )
  await expect.element(page.getByText('05 Nov 2026', { exact: true })).toBeVisible()
  const format = page.getByRole('combobox', { name: 'Date and number format' })
  await expect.element(format).toHaveValue('South Africa: 05 Nov 2026, 14:05 · 1\u00a0204,5')
  await format.click()
  await page.getByRole('option', { name: 'United States: Nov 5, 2026, 02:05 PM · 1,204.5' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Nov 5, 2026', { exact: true })).toBeVisible()
  const [sent] = api.sentTo('PATCH /tenant')
  expect([sent?.body, sent?.headers.get('if-match')]).toEqual([{ locale: 'en-US' }, '"3"'])
})

test('a member without the permission reads the format', async () => {
  fakeApi({ 'GET /tenant': json({ ...tenant, locale: 'en-GB' }) })
  await renderInApp(<TenantSettings />)
  await expect.element(page.getByText('United Kingdom: 5 Nov 2026, 14:05 · 1,204.5')).toBeVisible()
  expect(page.getByRole('combobox').elements()).toEqual([])
})
