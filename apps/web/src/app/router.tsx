import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFound, ScreenFailed, ScreenLoading } from '../ui/states.tsx'
import { routeTree } from './routes.tsx'

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // Queries have a cache of their own; the router only fetches code ahead.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPendingComponent: ScreenLoading,
    defaultErrorComponent: ({ error, reset }) => <ScreenFailed error={error} retry={reset} />,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: false,
  })
}
