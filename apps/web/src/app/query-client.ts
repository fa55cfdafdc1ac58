import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '../ui/api-problem.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        // The browser's idea of "offline" is no reason not to ask a server on this very machine.
        networkMode: 'always',
        retry: (count, error) => count < 2 && error instanceof ApiProblem && error.isTransient && error.status !== 429,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
