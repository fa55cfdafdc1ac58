import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { onSessionAdopted } from '../ui/api/session.ts'
import { forgetSensitiveDraftsOfOthers } from '../ui/forms/draft-storage.ts'
import { lazyPart } from '../ui/lazy/lazy-part.tsx'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { SessionInterruptions } from './session-interruptions.tsx'
import { styleNonce } from './style-nonce.ts'
import { colorSchemeManager, theme } from './theme.ts'

// Nothing is announced in the first moment, so what announces is fetched after it.
const Announcements = lazyPart('announcements', () =>
  import('./announcements.tsx').then((module) => module.Announcements),
)

onSessionAdopted(({ user }) => forgetSensitiveDraftsOfOthers(user.id))

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
          <Announcements />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
