import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LateNotifications } from './late-notifications.tsx'
import { theme } from './theme.ts'

afterEach(() => notifications.clean())

/** Renders without `renderInApp`, which has its own notification area. */
function renderPage(isNavigating: boolean) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <LateNotifications isNavigating={() => isNavigating} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('a notification is shown while the page is still loading', async () => {
  await renderPage(true)
  notifications.show({ message: 'The record was saved.' })
  await expect.element(page.getByText('The record was saved.')).toBeVisible()
})

test('a page that has loaded has a notification area before the first notification', async () => {
  await renderPage(false)
  await expect.poll(() => document.querySelector('.mantine-Notifications-root')).not.toBeNull()
})
