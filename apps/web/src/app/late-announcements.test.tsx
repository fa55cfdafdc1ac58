import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LateAnnouncements } from './late-announcements.tsx'
import { theme } from './theme.ts'

/** Renders without `renderInApp`, which has announcers of its own. */
function renderPage(isNavigating: boolean, content?: ReactNode) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        {content}
        <LateAnnouncements isNavigating={() => isNavigating} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('a notification is shown while the page is still loading', async () => {
  await renderPage(true)
  notifications.show({ message: 'The record was saved.' })
  await expect.element(page.getByText('The record was saved.')).toBeVisible()
})

test('a page that has loaded announces the error of a refused form', async () => {
  await renderPage(
    false,
    <form onSubmit={(event) => event.preventDefault()}>
      <input aria-label="Reason" aria-describedby="reason-error" aria-invalid="true" />
      <p id="reason-error">Enter a reason.</p>
    </form>,
  )
  await expect.element(page.getByRole('status')).toBeInTheDocument()
  await page.getByLabelText('Reason').click()
  document.querySelector('form')?.requestSubmit()
  await expect.element(page.getByRole('status')).toHaveTextContent('Enter a reason.')
})
