import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFound, ScreenLoading } from '../ui/layout/states.tsx'
import { routeTree } from './routes.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

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
    defaultErrorComponent: ScreenFailed,
    defaultNotFoundComponent: () => <NotFound />,
    scrollRestoration: false,
  })
}
