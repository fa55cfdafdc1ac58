import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sourceOf } from '../../../test/source.ts'
import { directoryAdapter, dnsAdapter } from '../../../test/source-adapters.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { NewVersionDialog, ProposeDialog } from './propose-dialog.tsx'

const proposing = 'POST /sources'
const people = {
  items: [{ id: 'user-2', name: 'Ben Dube' }],
  page: { limit: 200, returned: 1, nextCursor: null, total: null },
}
const answers = {
  'GET /source-adapters': json({ items: [dnsAdapter, directoryAdapter] }),
  'GET /assignees': json(people),
  [proposing]: json(sourceOf(), 201),
}
const proposal = (
  <DialogSlot>
    <ProposeDialog close={() => {}} reopen={() => {}} />
  </DialogSlot>
)

const field = (name: string | RegExp) => page.getByRole('textbox', { name, exact: typeof name === 'string' })
const list = (name: string) => page.getByRole('combobox', { name, exact: true })
const propose = () => page.getByRole('button', { name: 'Propose', exact: true }).click()

async function chooseAdapter(name: string): Promise<void> {
  await userEvent.click(list('Connector'))
  await page.getByRole('option', { name }).click()
}

async function nameIt(): Promise<void> {
  await userEvent.fill(field('Name'), 'Name servers')
  await userEvent.fill(field('Short name'), 'name-servers')
}

test('a typed province is saved as its code, never as all provinces, and a half-filled item is not sent', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(proposal)
  await nameIt()
  await chooseAdapter('directory 2.1.0')
  await userEvent.fill(list('Fields'), 'name')
  await userEvent.fill(list('Provinces'), 'Bavaria')
  await userEvent.fill(field('Records per query'), '10')
  await userEvent.fill(field('Requests per minute'), '30')
  await propose()
  await expect.element(page.getByText('Not in the list: “Bavaria”.')).toBeVisible()
  await expect.element(field('Requests per day')).toHaveAccessibleDescription(/Enter the requests per day too/)
  expect(sentTo(proposing)).toEqual([])
  await userEvent.fill(field('Requests per day'), '500')
  await userEvent.click(list('Provinces'))
  await userEvent.keyboard('{Backspace}Gauteng')
  await propose()
  await expect
    .poll(() => sentTo(proposing).map(({ body }) => body))
    .toMatchObject([
      {
        adapter: { id: 'directory', version: '2.1.0' },
        contract: {
          purposes: ['business_records'],
          scope: { fields: ['name'], provinces: ['GP'], maxRecords: 10 },
          rate: { perMinute: 30, perDay: 500 },
        },
      },
    ])
})

test('a loaded adapter offers its fields, settings and purpose, and prescribes what every answer contains', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(proposal)
  await nameIt()
  await chooseAdapter('dns 1.0.0')
  await expect.element(page.getByText('Every answer contains status, records, ttl and aliases.')).toBeVisible()
  await userEvent.fill(list('Resolvers'), 'office')
  await propose()
  await expect
    .poll(() => sentTo(proposing).map(({ body }) => body))
    .toEqual([
      {
        slug: 'name-servers',
        name: 'Name servers',
        adapter: { id: 'dns', version: '1.0.0' },
        contract: {
          purposes: ['dns'],
          scope: { fields: ['status', 'records', 'ttl', 'aliases'], provinces: [], maxRecords: 2 },
          settings: { resolvers: ['office'], forbiddenNames: [] },
        },
      },
    ])
})

test('an adapter that is not loaded is named by id and version, and its fields are typed', async () => {
  const { sentTo } = fakeApi({ ...answers, 'GET /source-adapters': json({ items: [] }) })
  await renderInApp(proposal)
  await nameIt()
  await chooseAdapter('Another connector, which is not installed yet')
  await userEvent.fill(field('Id of the connector'), 'cipc')
  await userEvent.fill(field('Version of the connector'), '0.1.0')
  await userEvent.fill(list('Fields'), 'name')
  await userEvent.fill(field('Records per query'), '5')
  await propose()
  await expect
    .poll(() => sentTo(proposing).map(({ body }) => body))
    .toMatchObject([
      {
        adapter: { id: 'cipc', version: '0.1.0' },
        contract: { scope: { fields: ['name'], provinces: [], maxRecords: 5 } },
      },
    ])
})

test('a refusal of the API appears at the field that it names', async () => {
  const errors = [
    { path: 'contract.scope.fields', code: 'unknown_field', message: 'The adapter does not know the field mx.' },
    { path: 'contract.settings.resolvers.0', code: 'invalid_value', message: 'Use office.' },
  ]
  fakeApi({ ...answers, 'POST /sources/s1/versions': problem(400, 'invalid_request', { errors }) })
  await renderInApp(
    <DialogSlot>
      <NewVersionDialog source={sourceOf()} close={() => {}} reopen={() => {}} />
    </DialogSlot>,
  )
  await page.getByRole('button', { name: 'Save version' }).click()
  await expect.element(list('Fields')).toHaveAccessibleDescription(/does not know the field mx/)
  await expect.element(list('Resolvers')).toHaveAccessibleDescription(/Use office/)
})

test('the error of a setting disappears when the setting changes, and the errors of other fields stay', async () => {
  const errors = [
    { path: 'contract.scope.fields', code: 'unknown_field', message: 'The adapter does not know the field mx.' },
    { path: 'contract.settings.resolvers.0', code: 'invalid_value', message: 'Use office.' },
  ]
  fakeApi({ ...answers, 'POST /sources/s1/versions': problem(400, 'invalid_request', { errors }) })
  await renderInApp(
    <DialogSlot>
      <NewVersionDialog source={sourceOf()} close={() => {}} reopen={() => {}} />
    </DialogSlot>,
  )
  await page.getByRole('button', { name: 'Save version' }).click()
  await expect.element(list('Resolvers')).toHaveAccessibleDescription(/Use office/)
  await userEvent.fill(list('Resolvers'), 'branch')
  await userEvent.keyboard('{Enter}')
  await expect.element(list('Resolvers')).not.toHaveAccessibleDescription(/Use office/)
  await expect.element(list('Fields')).toHaveAccessibleDescription(/does not know the field mx/)
})

test('a failed save loses nothing: the typed contract is restored when the dialog is opened again', async () => {
  fakeApi({ ...answers, [proposing]: connectionLost })
  const { show } = await renderInApp(proposal)
  await nameIt()
  await chooseAdapter('dns 1.0.0')
  await userEvent.fill(field('Description'), 'Our own servers')
  await userEvent.fill(field('Requests per minute'), '30')
  await userEvent.fill(field('Requests per day'), '500')
  await userEvent.fill(list('Resolvers'), 'office')
  await userEvent.keyboard('{Enter}')
  await propose()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your text is still here.')
  show(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  show(proposal)
  await expect.element(field('Description')).toHaveValue('Our own servers')
  await expect.element(field('Requests per day')).toHaveValue('500')
  await expect.element(page.getByRole('dialog').getByText('office', { exact: true })).toBeVisible()
})

test('the usual limits of the purpose fill blank fields in seconds and MB, and a typed value stays', async () => {
  const { sentTo } = fakeApi(answers)
  await renderInApp(proposal)
  await nameIt()
  const fill = page.getByRole('button', { name: 'Fill in usual limits' })
  await expect.element(fill).toBeDisabled()
  await chooseAdapter('dns 1.0.0')
  await expect.element(page.getByText('Delivers status, records, ttl and aliases.')).toBeVisible()
  const limits = page.getByRole('group', { name: '3. Limits' })
  await userEvent.fill(limits.getByRole('textbox', { name: 'Requests per minute' }), '7')
  await fill.click()
  await expect.element(limits.getByRole('textbox', { name: 'Requests per day' })).toHaveValue('1\u00a0000')
  await propose()
  await expect
    .poll(() => sentTo(proposing).map(({ body }) => body))
    .toMatchObject([
      {
        contract: {
          rate: { perMinute: 7, perDay: 1_000 },
          timeoutMs: 5_000,
          maxBytes: 100_000,
          health: { failureRatio: 0.1, latencyMs: 1_000 },
          circuit: { failureRatio: 0.5, consecutiveFailures: 5, latencyMs: 4_000, closeAfterSuccesses: 3 },
        },
      },
    ])
})
