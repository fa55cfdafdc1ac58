import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { importWithRetry } from './import-with-retry.ts'

/**
 * A component whose file is fetched apart from the first load, as data is: what failed with an outage comes when that is over, and a file
 * that went with a newer version is told of by the frame. `waiting` stands in its place until it is there; `prefetch` fetches it before
 * anybody asks. `name` is its own among all of them.
 */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
) {
  const query = queryOptions({
    queryKey: ['part', name],
    queryFn: async () => ({ Part: await importWithRetry(load) }),
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: Infinity,
    meta: { isPart: true },
  })
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of a module, once for each component
  function LazyPart(props: Props) {
    const { data } = useQuery(query)
    return data === undefined ? waiting : <data.Part {...props} />
  }
  LazyPart.prefetch = (queryClient: QueryClient): Promise<void> => queryClient.prefetchQuery(query)
  return LazyPart
}

/** Looked at so often whether the page still waits for something. */
const QUIET_MS = 250

/**
 * Fetches parts one after the other while the page waits for nothing else, so that they open at once, and in an outage too. On a slow line they
 * would stand in the way of what is on screen. One that is asked for before is fetched then. `parts` is the same list each time.
 */
export function usePrefetchParts(parts: readonly Pick<ReturnType<typeof lazyPart>, 'prefetch'>[]): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    const left = [...parts]
    const timer = setInterval(() => {
      if (router.state.isLoading || queryClient.isFetching() > 0) return
      const next = left.shift()
      if (next === undefined) clearInterval(timer)
      else void next.prefetch(queryClient)
    }, QUIET_MS)
    return () => clearInterval(timer)
  }, [parts, queryClient, router])
}
