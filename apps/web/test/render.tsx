import { MantineProvider } from '@mantine/core'
import type { Session } from '@prospect/api-client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import { render } from 'vitest-browser-react'
import { NotificationArea } from '../src/app/notification-area.tsx'
import { createQueryClient } from '../src/app/query-client.ts'
import { RefusalAnnouncer } from '../src/app/refusal-announcer.tsx'
import { theme } from '../src/app/theme.ts'
import { takeSession } from '../src/ui/api/session.ts'
import { readSearch, writeSearch } from '../src/ui/lists/search-params.ts'
import { sessionOf } from './session.ts'

type Options = {
  session?: Session
  /** Initial address. */
  path?: string
}

/**
 * Renders `ui` inside the app's providers: theme, queries with their defaults, notifications, an in-memory router that shows `ui` at every address,
 * and a session.
 */
export async function renderInApp(ui: ReactNode, { session = sessionOf(), path = '/' }: Options = {}) {
  const queryClient = createQueryClient()
  takeSession(queryClient, session)
  const shown = createShown(ui)
  const root = createRootRoute({ component: Shown, notFoundComponent: () => null })
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch: readSearch,
    stringifySearch: writeSearch,
  })
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <ShownContext value={shown}>
          <RouterProvider router={router as never} />
        </ShownContext>
        <RefusalAnnouncer />
        <NotificationArea />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return {
    ...screen,
    queryClient,
    router,
    /** Renders another node in the same app. */
    show: shown.set,
  }
}

/** A node that can be replaced from outside React. */
function createShown(first: ReactNode) {
  let current = first
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (next: ReactNode) => {
      current = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const ShownContext = createContext(createShown(null))

/** Content of every route. */
function Shown() {
  const shown = useContext(ShownContext)
  return useSyncExternalStore(shown.subscribe, shown.get)
}
