import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { SessionLapse } from './session-lapse.tsx'
import { styleNonce } from './style-nonce.ts'
import { colorSchemeManager, theme } from './theme.ts'

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The record was opened from the list and stands beside it. Without it the same address is the whole page. */
    panel?: boolean
  }
}

export function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <SessionLapse />
          <Notifications position="bottom-right" limit={3} transitionDuration={120} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
