import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, sendMove, signIn, unique } from './steps.ts'

test('a card is moved by keyboard, a rejected move names the rule, and a reason is requested in place', async ({
  page,
}) => {
  // The board must show the old state when another user moves the card, so no page of this test has a stream.
  await page.route('**/changes/stream**', (route) => route.abort())
  await signIn(page)
  const name = unique('Carded')
  const { id } = await createBusiness(page, { name })
  const moveTo = (to: string, reason?: string) =>
    call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to, ...(reason === undefined ? {} : { reason }) })
  const column = (state: string) => page.getByRole('region', { name: state, exact: true })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await expect(column('New').getByRole('link', { name })).toBeVisible()

  await page.keyboard.press('j')
  await expect(column('New').getByRole('link', { name })).toBeFocused()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Contacted' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(column('New').getByRole('button', { name: `Move ${name}` })).toBeFocused()
  // An immediate Enter must go to the menu.
  await page.keyboard.press('m')
  await page.keyboard.press('Enter')
  await expect(column('Contacted').getByRole('link', { name })).toBeFocused()
  await expect(column('Contacted').getByText('Moving to Contacted…')).toBeVisible()
  await expectAccessible(page)
  await sendMove(page, name)
  await expect(page.getByRole('alert').filter({ hasText: `${name} moved to Contacted` })).toBeVisible()

  // Another user moves the card on: the board offers the moves of the state it shows, and the server rejects the move.
  await column('Contacted').getByRole('link', { name }).focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Qualified', exact: true })).toBeFocused()
  await moveTo('qualified')
  await moveTo('proposal')
  await page.keyboard.press('Enter')
  await sendMove(page, name)
  await expect(page.getByRole('alert').filter({ hasText: 'Not moved to Qualified.' })).toContainText('proposal')
  await expect(column('Proposal').getByText('Not moved to Qualified.')).toBeVisible()
  await expect(column('Proposal').getByRole('link', { name })).toBeVisible()

  await moveTo('negotiation')
  await moveTo('won')
  await page.reload()
  await expect(column('Won').getByRole('link', { name })).toBeVisible()
  await column('Won').getByRole('link', { name }).focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Negotiation with a reason' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(column('Negotiation').getByRole('textbox')).toBeFocused()
  await expectAccessible(page)
  const reason = column('Negotiation').getByRole('textbox')
  await page.keyboard.type('They asked for more panels')
  await page.keyboard.press('Escape')
  await expect(column('Won').getByRole('link', { name })).toBeFocused()

  // The reason survives a reload until the move is made.
  await page.reload()
  await column('Won').getByRole('link', { name }).focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Negotiation with a reason' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(reason).toHaveValue('They asked for more panels')
  await expect(reason).toHaveAccessibleDescription(/Unsaved draft/)
  await page.keyboard.press('Control+Enter')
  await expect(column('Negotiation').getByRole('link', { name })).toBeVisible()
  await expect(reason).toBeHidden()
})

test('a forbidden column rejects a dragged card without a request', async ({ page }) => {
  await signIn(page)
  const name = unique('Dragged')
  await createBusiness(page, { name })
  const column = (state: string) => page.getByRole('region', { name: state, exact: true })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/pipeline-transitions')) sent.push(request.postData() ?? '')
  })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  const card = page.getByRole('listitem').filter({ hasText: name })
  await card.dragTo(column('Proposal'))
  await expect(card.getByRole('alert')).toHaveText(
    'A prospect cannot move from New to Proposal. This prospect is still in New.',
  )
  await expect(column('New').getByRole('link', { name })).toBeVisible()
  expect(sent).toEqual([])
  await card.dragTo(column('Contacted'))
  await sendMove(page, name)
  await expect(page.getByRole('alert').filter({ hasText: `${name} moved to Contacted` })).toBeVisible()
  await expect(column('Contacted').getByRole('link', { name })).toBeVisible()
  expect(sent).toEqual(['{"to":"contacted","reason":"Moved on the board."}'])
})

test('a move that is rejected after the board was left is shown on the current page until it is dismissed', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Left behind')
  const { id } = await createBusiness(page, { name })
  const column = (state: string) => page.getByRole('region', { name: state, exact: true })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await expect(column('New').getByRole('link', { name })).toBeVisible()
  // Another user moves it on; this board still shows it in New.
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'contacted' })
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'qualified' })
  const sent = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  await page.route('**/pipeline-transitions', async (route) => {
    sent.resolve()
    await answer.promise
    await route.continue()
  })
  await page.keyboard.press('j')
  await expect(column('New').getByRole('link', { name })).toBeFocused()
  await page.keyboard.press('m')
  await page.keyboard.press('Enter')
  await sendMove(page, name)
  await sent.promise
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  answer.resolve()
  const told = page.getByRole('alert').filter({ hasText: `Not moved: ${name}` })
  await expect(told).toContainText('Not moved to Contacted.')
  await expectAccessible(page)
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await expect(told).toBeVisible()
  await told.getByRole('button', { name: 'Dismiss' }).click()
  await expect(told).toBeHidden()
})

test('arrow keys on the choice between table and board change only that choice', async ({ page }) => {
  await signIn(page, '/prospects?view=board')
  const board = page.getByRole('radio', { name: 'Board' })
  await expect(board).toBeChecked()
  await board.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'Table' })).toBeChecked()
  await expect(page).not.toHaveURL(/view=board/)
})
