import type { AccessToken, TokenPermissions } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { TokensSection } from './tokens-section.tsx'

const groups: TokenPermissions = {
  groups: [
    {
      group: 'prospects',
      label: 'Prospects',
      permissions: [
        { permission: 'businesses.read', label: 'See prospects', isHeld: true, changes: false },
        { permission: 'businesses.write', label: 'Create and edit prospects', isHeld: true, changes: true },
      ],
    },
    {
      group: 'audit',
      label: 'Audit log',
      permissions: [{ permission: 'audit.read', label: 'See the audit log', isHeld: false, changes: false }],
    },
  ],
}
const token: AccessToken = {
  id: 't1',
  name: 'Warehouse sync',
  person: { id: 'u1', name: 'Ama' },
  status: 'active',
  permissions: ['businesses.read', 'businesses.write'],
  addresses: ['10.1.0.0/16', '203.0.113.7'],
  createdAt: '2026-11-21T09:00:00.000Z',
  endsAt: '2027-02-19T21:59:59.999Z',
  lastUsedAt: null,
  revokedAt: null,
  revokedBy: null,
}
const SECRET = `pp_${'x'.repeat(71)}`
const pageOf = (items: AccessToken[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })

test('a token is created with the chosen permissions, its secret is shown once, and it is revoked', async () => {
  const api = fakeApi({
    'GET /tokens': pageOf([]),
    'GET /token-permissions': json(groups),
    'POST /tokens': json({ ...token, secret: SECRET }, 201),
    'DELETE /tokens/t1': () => new Response(null, { status: 204 }),
  })
  await renderInApp(<TokensSection />)
  await page.getByRole('button', { name: 'New access token…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Warehouse sync')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect.element(dialog.getByText('Choose at least one permission.')).toBeVisible()
  await expect.element(dialog.getByText('Audit log')).not.toBeInTheDocument()
  await dialog.getByText('Prospects', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'All of: Prospects' }).click()
  await dialog.getByRole('textbox', { name: 'Addresses (optional)' }).fill('10.1.0.0/16, 203.0.113.7')
  api.answer('GET /tokens', pageOf([token]))
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect.element(page.getByText(SECRET)).toBeVisible()
  expect(api.sentTo('POST /tokens').map(({ body }) => body)).toMatchObject([
    {
      name: 'Warehouse sync',
      permissions: ['businesses.read', 'businesses.write'],
      addresses: ['10.1.0.0/16', '203.0.113.7'],
    },
  ])
  // Escape must not close a secret that cannot be shown again.
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText(SECRET)).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByText(SECRET)).not.toBeInTheDocument()
  const row = page.getByRole('list', { name: 'Your access tokens' }).getByRole('listitem')
  await expect
    .element(row)
    .toMatchTextContent(/Warehouse sync.*Active.*2 permissions.*from 10.1.0.0\/16, 203.0.113.7.*Never used/)

  api.answer('GET /tokens', pageOf([{ ...token, status: 'revoked', revokedAt: '2026-11-22T09:00:00.000Z' }]))
  await row.getByRole('button', { name: 'Revoke Warehouse sync' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect.element(row.getByText('Revoked')).toBeVisible()
  await expect.element(row.getByRole('button')).not.toBeInTheDocument()
})

test('a refused address is shown at its field, and nothing that was chosen is lost', async () => {
  fakeApi({
    'GET /tokens': pageOf([]),
    'GET /token-permissions': json(groups),
    'POST /tokens': problem(400, 'invalid_request', {
      errors: [
        { path: 'addresses.0', code: 'custom', message: 'Enter an IP address, or a range such as 10.1.0.0/16.' },
      ],
    }),
  })
  await renderInApp(<TokensSection />)
  await page.getByRole('button', { name: 'New access token…' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('A script')
  await dialog.getByText('Prospects', { exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'See prospects' }).click()
  await dialog.getByRole('textbox', { name: 'Addresses (optional)' }).fill('the office')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect.element(dialog.getByText('Enter an IP address, or a range such as 10.1.0.0/16.')).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: 'See prospects' })).toBeChecked()
})
