import { Button } from '@mantine/core'
import { expect, test } from 'vitest'
import { renderInApp } from '../../../test/render.tsx'
import { BackLink } from './back-link.tsx'
import { Page } from './page.tsx'

test('the title of the browser tab is the page title, or a text of its own', async () => {
  const { show } = await renderInApp(<Page title="Jobs">Rows</Page>)
  await expect.poll(() => document.title).toBe('Jobs · Prospect Platform')
  show(
    <Page title={<bdi>Fish Eagle Safaris</bdi>} tab="Fish Eagle Safaris">
      Facts
    </Page>,
  )
  await expect.poll(() => document.title).toBe('Fish Eagle Safaris · Prospect Platform')
})

test('a page shows its title once, with lead, actions and the link to its list', async () => {
  const screen = await renderInApp(
    <Page
      title="New report"
      lead="Counts over some days."
      actions={<Button>Print</Button>}
      back={<BackLink to="/reports">Reports</BackLink>}
    >
      Fields
    </Page>,
  )
  await expect.element(screen.getByRole('heading', { level: 1, name: 'New report' })).toBeVisible()
  await expect.element(screen.getByText('Counts over some days.')).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Reports' })).toHaveAttribute('href', '/reports')
})

test('a text page is narrower than a table page', async () => {
  const widest = () => getComputedStyle(document.querySelector('[data-width]') ?? document.body).maxWidth
  const { show } = await renderInApp(<Page title="Jobs">Rows</Page>)
  await expect.poll(widest).toBe('1600px')
  show(
    <Page title="Settings" width="text">
      Fields
    </Page>,
  )
  await expect.poll(widest).toBe('1088px')
})
