import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { NotFound, ScreenLoading } from '../ui/layout/states.tsx'
import { readSearch, writeSearch } from '../ui/lists/search-params.ts'
import { routeTree } from './routes.tsx'
import { ScreenFailed } from './shell/screen-failed.tsx'

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    // The query cache handles data; the router only preloads code.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingMinMs: 0,
    defaultPendingComponent: ScreenLoading,
    defaultErrorComponent: ScreenFailed,
    defaultNotFoundComponent: () => <NotFound />,
    scrollRestoration: false,
  })
}
