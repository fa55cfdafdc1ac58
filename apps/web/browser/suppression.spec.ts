import type { Page } from '@playwright/test'
import { createPerson, goStale } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

async function chooseChannel(page: Page, channel: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: channel }).click()
}

/** Answers as the server does when the review term of every entry has passed, because no test can wait a month. */
async function endTerms(page: Page) {
  await page.route('**/api/v1/suppressions*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const answer = await route.fetch()
    const body = await answer.json()
    for (const item of body.items) Object.assign(item, { isPastTerm: true, termEndsOn: '2026-01-31' })
    await route.fulfill({ response: answer, json: body })
  })
}

test('an entry blocks its records everywhere, and only a removal with reason and proof unblocks them, with an audit event', async ({
  page,
}) => {
  // Runs axe on five pages, each in both themes.
  test.slow()
  await signIn(page, '/suppression')
  const name = unique('Withdrawn Welding')
  const host = `w${Date.now()}.co.za`
  const { id } = await createBusiness(page, { name, emails: [{ value: `Sales@mail.${host}` }] })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add entry', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Domain' }).click()
  await dialog.getByRole('textbox', { name: 'Domain' }).fill('co.za')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The owner asked in writing')
  await chooseChannel(page, 'Letter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('would block uninvolved people')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Domain' }).fill(host)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 prospect is marked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add entry', exact: true })).toBeFocused()

  // Visible immediately in list, board, palette and record.
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name })).toContainText('Do not contact')
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('main').getByText('Do not contact').last()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('dialog').getByRole('option', { name })).toContainText('Do not contact')
  await page.keyboard.press('Escape')
  await page.goto(`/prospects/${id}`)
  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect(band).toContainText(`Blocked by ${host} and all subdomains`)
  await expectAccessible(page)

  // Found by another form of the domain, opened and removed.
  await page.goto('/suppression')
  await page.getByRole('searchbox', { name: 'Look up' }).fill(`https://www.${host}/contact`)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: `${host} and all subdomains` }).click()
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expectAccessible(page)
  await goStale(page, (request) => request.url().endsWith('/removal'))
  await page.getByRole('button', { name: 'Remove…' }).click()
  const removal = page.getByRole('dialog', { name: /Remove entry/ })
  await removal.getByRole('button', { name: 'Remove entry' }).click()
  await expect(removal.getByText('Enter a reason.')).toBeVisible()
  await removal.getByRole('textbox', { name: 'Reason' }).fill('The owner became a client')
  await page.keyboard.press('Control+Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')
  const written = page.getByRole('dialog', { name: 'Removed' })
  await expect(written).toContainText(/In the audit log\s*Number \d+/)
  await expect(written).toContainText('The owner became a client')
  await expectAccessible(page)
  await written.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Removed by', { exact: true })).toBeVisible()
  const history = page.getByRole('main').getByRole('listitem')
  await expect(history.filter({ hasText: 'Added by' })).toBeVisible()
  await expect(history.filter({ hasText: 'The owner became a client' })).toBeVisible()

  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(band).toBeHidden()
  await page.goto('/suppression?status=removed')
  await expect(page.getByRole('row', { name: host })).toContainText('The owner became a client')
})

test('a local number is suppressed in the selected country; the default is that of the tenant', async ({ page }) => {
  await signIn(page, '/suppression')
  const last = String(Date.now()).slice(-4)
  const name = unique('Arroyo Grill')
  await createBusiness(page, { name, phones: [{ value: `+1 626 204 ${last}` }] })
  await page.getByRole('button', { name: 'Add entry', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Phone' }).click()
  const country = dialog.getByRole('combobox', { name: 'Country of a local number' })
  await expect(country).toHaveValue('South Africa +27')
  await country.click()
  await country.fill('us')
  await page.keyboard.press('Enter')
  await expect(country).toHaveValue('United States +1')
  await dialog.getByRole('textbox', { name: 'Phone' }).fill(`(626) 204-${last}`)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('They asked on the phone')
  await chooseChannel(page, 'Phone call')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('1 prospect is marked')).toBeVisible()

  // The same for pasted lines.
  await page.goto('/suppression/paste')
  await page.getByRole('textbox', { name: 'Lines' }).fill(`626 204 ${last}`)
  const ofLines = page.getByRole('combobox', { name: 'Country of local numbers' })
  await expect(ofLines).toHaveValue('South Africa +27')
  await ofLines.click()
  await ofLines.fill('us')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('table')).toContainText(`+1 626 204 ${last}`)
  await expectAccessible(page)
})

test('many values are pasted, previewed line by line, and then stored', async ({ page }) => {
  await signIn(page, '/suppression')
  const host = `p${Date.now()}.co.za`
  const { id, name } = await createBusiness(page, { name: unique('Pasted Plumbing'), emails: [{ value: `a@${host}` }] })
  await page.getByRole('link', { name: 'Paste many' }).click()
  // An error of the whole input names the line number, beside the field.
  await page.getByLabel('Lines').fill(`info@${host}\n${'x'.repeat(1_100)}`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText(/Line 2: At most 1.000 characters per line\./)).toBeVisible()
  await expect(page.getByLabel('Lines')).toBeFocused()
  // The element that announces the preview and the result exists before both.
  const said = page.getByRole('main').getByRole('status')
  const standing = await said.elementHandle()
  await page
    .getByRole('textbox', { name: 'Lines' })
    .fill(`a@${host}\tunsubscribed\n\nA+x@${host}\ngmail.com\nWhatsApp: 082 555 ${String(Date.now()).slice(-4)}`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('row', { name: `a@${host}` }).first()).toContainText('To add')
  await expect(page.getByRole('row', { name: `A+x@${host}` })).toContainText('The same as line 1.')
  // The second cell of a row is not joined to the address.
  await expect(page.getByRole('row', { name: `a@${host}` }).first()).toContainText('Ignored: unsubscribed')
  await expect(page.getByRole('row').nth(1)).toContainText('gmail.com')
  await expect(page.getByRole('row').nth(1)).toContainText('Refused')
  await expect(said).toHaveText('4 lines: 2 to add, 1 repeated, 1 refused. These lines block 1 prospect.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add 2 entries' }).click()
  await expect(page.getByText('The reason is stored with the entry.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('From the registry')
  // The channel is evidence, so there is no default.
  await page.getByRole('button', { name: 'Add 2 entries' }).click()
  const channel = page.getByRole('combobox', { name: 'Received by' })
  await expect(channel).toBeFocused()
  await expect(channel).toHaveAccessibleDescription(/Choose how the request/)
  await chooseChannel(page, 'Opt-out registry')
  await expect(channel).not.toHaveAccessibleDescription(/Choose how the request/)
  await page.getByRole('button', { name: 'Add 2 entries' }).click()
  await expect(said).toContainText('2 entries added')
  expect(await standing?.evaluate((element) => element.isConnected)).toBe(true)
  await endTerms(page)
  await page.goto('/suppression')
  await expect(page.getByText('Due for review. Still blocking').first()).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('region', { name: 'Do not contact' })).toContainText(`a@${host}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('an administrator lifts a manual block; an operator cannot, and a viewer sees no addresses', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page)
  const { id } = await createBusiness(page, {
    name: unique('Lifted Logistics'),
    emails: [{ value: 'hidden@lifted.co.za' }],
  })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as do not contact…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Asked on the phone')
  // Only this record: an entry for the address would block it further.
  await page.getByRole('checkbox', { name: 'hidden@lifted.co.za' }).uncheck()
  await page.keyboard.press('Control+Enter')
  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect(band).toContainText('Asked on the phone')
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()

  for (const role of ['operator', 'viewer'] as const) {
    const person = await createPerson(browser, baseURL, role)
    const theirs = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) })
    await signIn(theirs, `/prospects/${id}`, person)
    await expect(theirs.getByRole('region', { name: 'Do not contact' })).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Lift block…' })).toBeHidden()
    if (role === 'operator') await expect(theirs.getByText('hidden@lifted.co.za').first()).toBeVisible()
    else {
      await expect(theirs.getByText('•••').first()).toBeVisible()
      await expect(theirs.getByText('hidden@lifted.co.za')).toHaveCount(0)
      await expect(theirs.getByRole('region', { name: 'Do not contact' })).toContainText(
        'Your role cannot see the reason.',
      )
      await expect(theirs.getByText('Asked on the phone')).toHaveCount(0)
      await theirs.goto(`/prospects/${id}?tab=activity`)
      await expect(theirs.getByText('Your role cannot see the reason.')).toHaveCount(2)
      await expect(theirs.getByText('Asked on the phone')).toHaveCount(0)
    }
    await theirs.close()
  }

  await band.getByRole('button', { name: 'Lift block…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('A mistake of ours')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Removed' })).toContainText(/In the audit log\s*Number \d+/)
  await page.getByRole('button', { name: 'Done' }).click()
  // The button that had the focus disappeared with the band.
  await expect(page.getByRole('article')).toBeFocused()
  await expect(band).toBeHidden()
})

test('a batch keeps its provenance with its lines, and its errors are visible', async ({ page }) => {
  await signIn(page, '/suppression/paste')
  const host = `b${Date.now()}.co.za`
  const lines = page.getByLabel('Lines')
  const reason = page.getByRole('textbox', { name: 'Reason' })
  const show = page.getByRole('button', { name: 'Preview' })
  await lines.fill(`kept@${host}`)
  await show.click()
  await reason.fill('From the letter of Monday')
  await chooseChannel(page, 'Letter')
  await page.reload()
  await expect(lines).toHaveValue(`kept@${host}`)
  await expect(lines).toHaveAccessibleDescription(/Unsaved draft/)
  await show.click()
  await expect(reason).toHaveValue('From the letter of Monday')
  await page.route('**/api/v1/suppressions/batches', (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: 'Invalid request',
        status: 400,
        detail: 'The request is not valid.',
        code: 'invalid_request',
        requestId: 'r',
        errors: [
          { path: 'lines.0', code: 'x', message: 'Nobody has this.' },
          { path: 'reference', code: 'x', message: 'Not a reference.' },
        ],
      },
    }),
  )
  await reason.fill('')
  await page.getByRole('button', { name: 'Add 1 entry' }).click()
  await expect(reason).toBeFocused()
  await expect(reason).toHaveAccessibleDescription(/Enter a reason/)
  await page.keyboard.type('From the letter of Tuesday')
  await expect(reason).not.toHaveAccessibleDescription(/Enter a reason/)
  await page.getByRole('button', { name: 'Add 1 entry' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Line 1: Nobody has this.' })).toBeVisible()
  await expect(page.getByLabel('Reference')).toHaveAccessibleDescription(/Not a reference\./)
  await page.unroute('**/api/v1/suppressions/batches')
  await page.getByRole('button', { name: 'Add 1 entry' }).click()
  await expect(page.getByText('1 entry added')).toBeVisible()
  await page.reload()
  await expect(lines).toHaveValue('')
})

test('in a long list an added entry reads the first page again, and others when they become visible', async ({
  page,
}) => {
  await signIn(page)
  const host = `l${Date.now()}.co.za`
  const lines = Array.from({ length: 130 }, (_, index) => `n${index}@${host}`)
  await call(
    page,
    'POST',
    '/suppressions/batches',
    { lines, region: null, domainScope: 'exact', reason: 'Many', channel: 'email', requestedBy: null, reference: null },
    { 'idempotency-key': host },
  )
  await page.goto(`/suppression?kind=email`)
  const scroller = page.locator('[data-table-scroller]')
  const scrollTo = (place: 'top' | 'end') =>
    scroller.evaluate((element, at) => element.scrollTo({ top: at === 'top' ? 0 : element.scrollHeight }), place)
  for (const loaded of [50, 100]) {
    await expect(page.getByText(`· ${loaded} loaded`)).toBeVisible()
    await scrollTo('end')
  }
  await expect(page.getByText('· 100 loaded')).toBeHidden()
  await scrollTo('top')
  const read: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (request.method() === 'GET' && url.pathname === '/api/v1/suppressions') read.push(url.search)
  })
  await page.getByRole('button', { name: 'Add entry', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill(`new@${host}`)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('One more')
  await chooseChannel(page, 'Phone call')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('row').nth(1)).toContainText(`new@${host}`)
  // The stream of changes can announce the entry too, and the first page is then read once more.
  expect(read).not.toEqual([])
  expect(read.filter((search) => search.includes('cursor='))).toEqual([])
  await scrollTo('end')
  await expect.poll(() => read.some((search) => search.includes('cursor='))).toBe(true)
})

test('an entry is looked up and opened by keyboard', async ({ page }) => {
  await signIn(page)
  const host = `k${Date.now()}.co.za`
  const body = { reason: 'Asked', channel: 'email', requestedBy: null, reference: null }
  for (const name of ['one', 'two'])
    await call(page, 'POST', '/suppressions', {
      ...{ kind: 'email', value: `${name}@${host}`, region: null, scope: 'exact' },
      ...body,
    })
  await page.goto('/suppression')
  await expect(page.getByRole('link', { name: `two@${host}` })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: `two@${host}` })).toBeFocused()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: `one@${host}` })).toBeFocused()
  await page.keyboard.press('k')
  await expect(page.getByRole('link', { name: `two@${host}` })).toBeFocused()
  await page.keyboard.press('/')
  const field = page.getByRole('searchbox', { name: 'Look up' })
  await expect(field).toBeFocused()
  await page.keyboard.type(`ONE@${host}`)
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue(`ONE@${host}`)
  await page.keyboard.press('/')
  await page.keyboard.type(`ONE@${host}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: `two@${host}` })).toBeHidden()
  await expect(page.getByRole('link', { name: `one@${host}` })).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: `one@${host}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `one@${host}` })).toBeVisible()
})

test('an error disappears when its field is corrected, and the focus stays', async ({ page }) => {
  await signIn(page, '/suppression')
  await page.getByRole('button', { name: 'Add entry', exact: true }).click()
  const value = page.getByRole('dialog').getByRole('textbox', { name: 'Email' })
  const reason = page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })
  await page.keyboard.press('Control+Enter')
  await expect(reason).toHaveAccessibleDescription(/Enter a reason/)
  await expect(value).toBeFocused()
  await page.keyboard.type('owner@mended.example')
  await expect(value).toHaveValue('owner@mended.example')
  await expect(value).not.toHaveAccessibleDescription(/Enter an address/)
  await expect(reason).toHaveAccessibleDescription(/Enter a reason/)
  const channel = page.getByRole('dialog').getByRole('combobox', { name: 'Received by' })
  await expect(channel).toHaveAccessibleDescription(/Choose how the request/)
})

test('an entry that fails to load shows that as the page heading', async ({ page }) => {
  await page.route('**/api/v1/suppressions/01900000-0000-7000-8000-000000000000', (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'internal_error', title: 'It failed' } }),
  )
  await signIn(page, '/suppression/01900000-0000-7000-8000-000000000000')
  await expect(page.getByRole('heading', { level: 1, name: 'Could not load this entry' })).toBeVisible()
})
