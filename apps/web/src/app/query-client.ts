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
        // The browser's idea of "offline" is no reason not to ask a server on this very machine.
        networkMode: 'always',
        // Not what says how long to wait, nor what was waited for so long already: that the line is dead is told now.
        retry: (count, error) =>
          count < 2 && error instanceof ApiProblem && error.isTransient && ![429, 504].includes(error.status),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
