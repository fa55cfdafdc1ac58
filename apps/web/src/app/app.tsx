import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense } from 'react'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { SessionInterruptions } from './session-interruptions.tsx'
import { styleNonce } from './style-nonce.ts'
import { colorSchemeManager, theme } from './theme.ts'

// Nothing is announced in the first moment, so what announces is fetched after it.
const Notifications = lazy(() => import('@mantine/notifications').then((module) => ({ default: module.Notifications })))

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
          <SessionInterruptions />
          <Suspense fallback={null}>
            <Notifications position="bottom-right" limit={3} transitionDuration={120} />
          </Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
