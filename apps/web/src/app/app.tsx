import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { writeSentencesWith } from '../ui/api/api-problem.ts'
import { onSessionAdopted } from '../ui/api/session.ts'
import { forgetSensitiveDraftsOfOthers } from '../ui/forms/draft-storage.ts'
import { localSentence } from '../ui/text/api-sentence.ts'
import { adoptLocale } from '../ui/text/locale.ts'
import { LateNotifications } from './late-notifications.tsx'
import { createQueryClient } from './query-client.ts'
import { RefusalAnnouncer } from './refusal-announcer.tsx'
import { createAppRouter } from './router.tsx'
import { SessionInterruptions } from './session-interruptions.tsx'
import { styleNonce } from './style-nonce.ts'
import { colorSchemeManager, theme } from './theme.ts'

onSessionAdopted(({ tenant }) => adoptLocale(tenant.locale, tenant.timeZone))
writeSentencesWith(localSentence)
onSessionAdopted(({ user }) => forgetSensitiveDraftsOfOthers(user.id))

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)

const isNavigating = () => router.state.isLoading

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** True if the record was opened from the list and is shown beside it. Without it, the same address shows a full page. */
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
          <RefusalAnnouncer />
          <LateNotifications isNavigating={isNavigating} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
