import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../ui/api/api-problem.ts'
import { noteFailure } from '../ui/api/connection.ts'
import { notifyUnseenFailures } from '../ui/api/notify-unseen-failures.ts'

export function createQueryClient(): QueryClient {
  const mutationCache = new MutationCache({ onError: noteFailure })
  notifyUnseenFailures(mutationCache)
  return new QueryClient({
    queryCache: new QueryCache({ onError: noteFailure }),
    mutationCache,
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        // The browser's offline state does not matter for a server on the same machine.
        networkMode: 'always',
        // No retry for 429, which says how long to wait, nor for 504: after such a long wait the user must see the failure now.
        retry: (count, error) =>
          count < 2 && error instanceof ApiProblem && error.isTransient && ![429, 504].includes(error.status),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
