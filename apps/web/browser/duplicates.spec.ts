import type { Page } from '@playwright/test'
import type {
  BusinessInput,
  Page as ListPage,
  MatchSuggestion,
  MatchSuggestionSummary,
  Merge,
  Pipeline,
} from '@prospect/api-client'
import { goStale } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, pressToOpen, signIn, unique } from './steps.ts'

async function read<T>(page: Page, path: string): Promise<T> {
  return (await page.request.get(`/api/v1${path}`)).json()
}

test('by keyboard alone: three records of one business are compared, merged despite a change meanwhile, the third is rejected, and the merge is undone', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Karoo Windpumps')
  const phone = `+27 41 ${String(Date.now()).slice(-7)}`
  const facts: BusinessInput = {
    name,
    phones: [{ value: phone }],
    address: { street: '12 Main Road', city: 'Gqeberha' },
  }
  const [a, b, c] = [
    await createBusiness(page, { ...facts, name: `${name} A` }),
    await createBusiness(page, { ...facts, name: `${name} B`, industry: 'Irrigation', tags: ['Solar'] }),
    await createBusiness(page, { ...facts, name: `${name} C` }),
  ]
  await call(page, 'POST', `/businesses/${b.id}/pipeline-transitions`, { to: 'contacted' })
  const pairsOf = async (id: string) =>
    (await read<ListPage<MatchSuggestionSummary>>(page, `/match-suggestions?businessId=${id}`)).items
  await expect.poll(async () => (await pairsOf(a.id)).length).toBe(2)
  const pair = (await pairsOf(a.id)).find(({ businesses }) => businesses.some(({ id }) => id === b.id))

  // With short pages, the pair is still found in its list, and Previous and Next reach both ends.
  const query = `?q=${encodeURIComponent(name)}`
  const found = async () => (await read<ListPage<MatchSuggestionSummary>>(page, `/match-suggestions${query}`)).items
  await expect.poll(async () => (await found()).length).toBe(3)
  const shortPages = (url: URL) => url.pathname === '/api/v1/match-suggestions' && url.searchParams.has('q')
  await page.route(shortPages, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '1')
    return route.continue({ url: url.href })
  })
  await page.goto(`/duplicates/${(await found())[1]?.id}${query}`)
  const neighbours = page.getByRole('navigation', { name: 'Pairs' })
  await expect(neighbours).toContainText('2 of 3')
  await page.keyboard.press('k')
  await expect(neighbours).toContainText('1 of 3')
  await page.keyboard.press('j')
  await expect(neighbours).toContainText('2 of 3')
  await page.keyboard.press('j')
  await expect(neighbours).toContainText('3 of 3')
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.unroute(shortPages)

  // The list: searched by text and navigated with j and k; the address contains its state.
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { level: 1, name: 'Duplicates' })).toBeVisible()
  const look = page.getByRole('button', { name: 'Scan all records' })
  await look.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Last full scan')).toBeVisible()
  // The button was disabled meanwhile and still has the focus.
  await expect(look).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/duplicates\?q=/)
  const rows = page.getByRole('table', { name: 'Suggested duplicates' }).getByRole('row')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText('same phone')
  await page.keyboard.press('Escape')
  const wanted = page.locator(`a[data-pair="${pair?.id}"]`)
  for (let press = 0; press < 3 && !(await wanted.evaluate((link) => link.matches(':focus'))); press++)
    await page.keyboard.press('j')
  await expect(wanted).toBeFocused()
  await page.keyboard.press('Enter')

  // The pair: missing input is reported beside its field.
  await expect(page.getByRole('heading', { level: 1, name: 'Same business?' })).toBeVisible()
  await expect(page.getByText('pipeline states differ')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('1')
  await expect(page.getByRole('radio', { name: /(keep this one|kept): record 1, /i })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  const states = page.getByRole('group', { name: 'Pipeline state' })
  await expect(states.getByRole('alert')).toContainText('Choose a pipeline state')
  await expect(states.getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  const chosen = states.getByRole('radio', { name: /^Contacted/ })
  await expect(chosen).toBeChecked()
  await page.keyboard.press('Control+Enter')
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  await page.keyboard.type('The same yard and the same foreman')

  // Another user adds a note meanwhile: nothing is merged, and the choices are kept.
  await call(page, 'POST', `/businesses/${b.id}/notes`, { text: 'Written in between' })
  await page.keyboard.press('Control+Enter')
  const confirm = page.getByRole('dialog', { name: /^Merge into/ })
  await expect(confirm).toContainText('From the other record: Industry and Pipeline state')
  await expect(confirm).toContainText('Added to the kept record: 1 tag')
  await expect(confirm).toContainText('also shows 1 pipeline move.')
  await page.keyboard.press('Control+Enter')
  const changed = page.getByRole('alert', { name: 'This pair changed after you opened it' })
  await expect(changed).toBeFocused()
  await expect(changed).toContainText('1 note more')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(changed).toBeHidden()
  await expect(chosen).toBeChecked()
  await expect(reason).toHaveValue('The same yard and the same foreman')
  await page.keyboard.press('Control+Enter')
  await expect(confirm).toContainText('1 note')
  // The form is read-only while the request is pending.
  const answer = Promise.withResolvers<void>()
  await page.route('**/merge', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await expect(reason).toHaveAttribute('readonly')
  answer.resolve()

  // Merged and read back; the third record is next.
  await expect(page.getByRole('heading', { level: 1, name: 'Merged' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Next pair' })).toBeFocused()
  await expect(page.getByRole('row', { name: /^Notes/ })).toContainText('1')
  const [merge] = (await read<ListPage<Merge>>(page, `/merges?businessId=${a.id}`)).items
  await page.getByText('Id and fingerprint').press('Enter')
  await expect(page.getByText(merge?.snapshotId ?? 'no snapshot')).toBeVisible()
  const next = page.getByRole('region', { name: 'Next' })
  await expect(next).toContainText(`may also be the same business as ${name}`)
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(page.getByRole('main')).toContainText(`${name} C`)
  const rejection = page.getByRole('dialog', { name: 'Not a duplicate?' })
  await pressToOpen(page, 'r', rejection)
  await expect(rejection.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Another branch')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Marked as not a duplicate.')).toBeVisible()

  // The page of the loser links to the merge, which is undone with fresh proof. The loser is read-only: no action is offered that the server would
  // reject.
  await page.goto(`/prospects/${b.id}?tab=notes`)
  await expect(page.getByText('Written in between')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Move|Edit|Note|Add note)$/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Open or undo the merge' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Merged' })).toBeVisible()
  await expect(page.getByText('If you undo it')).toBeVisible()
  await goStale(page, (request) => request.url().endsWith('/reversal'))
  await page.keyboard.press('u')
  await expect(page.getByRole('dialog', { name: 'Undo this merge?' }).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Two owners after all')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByLabel('Your password').focus()
  await page.keyboard.type(administrator.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Merged, then undone' })).toBeVisible()
  await expect(page.getByText('Two owners after all')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Result of the undo' })).toBeFocused()
  for (const { id } of [a, b, c])
    expect(await read(page, `/businesses/${id}`)).toMatchObject({ status: 'active', mergedInto: null })
})

test('two records paused from different states: both show their previous state, one is chosen, and the merge stores the other', async ({
  page,
}) => {
  await signIn(page)
  const allowPause = async (pausedEnabled: boolean) => {
    const { version } = await read<Pipeline>(page, '/pipeline')
    await call(page, 'PATCH', '/pipeline', { pausedEnabled }, { 'if-match': `"${version}"` })
  }
  await allowPause(true)
  const facts = { name: unique('Karoo Pumps'), phones: [{ value: `+27 41 ${String(Date.now()).slice(-7)}` }] }
  const [a, b] = [await createBusiness(page, facts), await createBusiness(page, facts)]
  await call(page, 'POST', `/businesses/${b.id}/pipeline-transitions`, { to: 'contacted' })
  for (const { id } of [a, b])
    await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'paused', reason: 'They are moving.' })
  await allowPause(false)
  const pairs = async () =>
    (await read<ListPage<MatchSuggestionSummary>>(page, `/match-suggestions?businessId=${a.id}`)).items
  await expect.poll(async () => (await pairs()).length).toBe(1)
  // Another pair, so that the list continues after this one.
  const other = { name: unique('Orchard Fruit'), phones: [{ value: `+27 42 ${String(Date.now()).slice(-7)}` }] }
  const [c] = [await createBusiness(page, other), await createBusiness(page, other)]
  const listed = async () => (await read<ListPage<MatchSuggestionSummary>>(page, '/match-suggestions')).items
  const isOf = ({ businesses }: MatchSuggestionSummary, wanted: string) => businesses.some(({ id }) => id === wanted)
  await expect.poll(async () => (await listed()).some((pair) => isOf(pair, c.id))).toBe(true)
  const inOrder = await listed()
  const at = inOrder.findIndex((pair) => isOf(pair, a.id))
  const after = inOrder[at + 1] ?? inOrder[0]
  await page.goto(`/duplicates/${inOrder[at]?.id}`)

  const conflict = '“paused, before that new” and “paused, before that contacted”'
  await expect(page.getByRole('region', { name: '1 conflict' })).toContainText(conflict)
  const states = page.getByRole('group', { name: 'Pipeline state' })
  await expect(states).toContainText('differs')
  await page.getByRole('radio', { name: /(keep this one|kept): record 1, /i }).check()
  await page.getByRole('textbox', { name: 'Reason' }).fill('One yard')
  await page.getByRole('button', { name: 'Merge…' }).click()
  await expect(states.getByRole('alert')).toContainText('Choose a pipeline state')
  await states.getByRole('radio', { name: /^Paused, before that contacted/ }).check()
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Merged' })).toBeVisible()
  // The survivor has no other suggestion, so the next pair comes from the list.
  const nextPair = page.getByRole('link', { name: 'Next pair' })
  await expect(nextPair).toBeFocused()
  await expect(nextPair).toHaveAttribute('href', `/duplicates/${after?.id}`)
  const choices = page.getByRole('region', { name: 'Values that were used and values that were not used' })
  await expect(choices).toContainText('Paused, before that contacted')
  await expect(choices).toContainText('Not used: Paused, before that new')
  await allowPause(true)
})

test('duplicates that fail to load show an error on the record and can be retried, and the page of a merge states that its records were erased', async ({
  page,
}) => {
  await signIn(page)
  const facts = { name: unique('Karoo Pumps'), phones: [{ value: `+27 41 ${String(Date.now()).slice(-7)}` }] }
  const a = await createBusiness(page, facts)
  await createBusiness(page, { ...facts, industry: 'Irrigation' })
  const pairs = async () =>
    (await read<ListPage<MatchSuggestionSummary>>(page, `/match-suggestions?businessId=${a.id}`)).items
  await expect.poll(async () => (await pairs()).length).toBe(1)
  const [pair] = await pairs()
  const { fingerprint } = await read<MatchSuggestion>(page, `/match-suggestions/${pair?.id}`)
  const decision = { survivorId: a.id, fields: {}, fingerprint, reason: 'One yard' }
  const key = { 'idempotency-key': a.id }
  const merge = await call<Merge>(page, 'POST', `/match-suggestions/${pair?.id}/merge`, decision, key)

  let isBroken = true
  await page.route('**/api/v1/merges?*', (route) => {
    const refusal = {
      type: 'about:blank',
      title: '',
      status: 500,
      detail: 'Broken.',
      code: 'internal_error',
      requestId: 'r',
    }
    return isBroken
      ? route.fulfill({ status: 500, contentType: 'application/problem+json', json: refusal })
      : route.continue()
  })
  await page.goto(`/prospects/${a.id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'duplicates and merges' })
  await expect(failure).toBeVisible()
  await expectAccessible(page)
  isBroken = false
  await failure.getByRole('button', { name: 'Try again' }).dispatchEvent('click')
  await expect(page.getByRole('region', { name: 'Merged records' })).toContainText(facts.name)
  await expect(failure).toBeHidden()

  const suggestions = (url: URL) => url.pathname === '/api/v1/match-suggestions'
  await page.route(suggestions, (route) => route.fulfill({ status: 404, json: { code: 'not_found', status: 404 } }))
  await page.goto(`/duplicates/merges/${merge.id}`)
  const next = page.getByRole('region', { name: 'Next' })
  await expect(next).toContainText('Could not check for other possible duplicates.')
  await page.unroute(suggestions)
  await page.getByRole('link', { name: `activity of ${facts.name}` }).click()
  await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('merged another record into this one')).toBeVisible()

  await call(page, 'POST', `/businesses/${a.id}/erasure`, { reason: 'They asked.' })
  await page.goto(`/duplicates/merges/${merge.id}`)
  const choices = page.getByRole('region', { name: 'Values that were used and values that were not used' })
  await expect(choices).toContainText('A record of this merge was erased, together with its values.')
  await expect(choices).not.toContainText('the same values')
})
