import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { importWithRetry } from './import-with-retry.ts'
import { whenQuiet } from './when-quiet.ts'

/**
 * Component whose file loads separately, as a query: after an outage it loads automatically, and the frame shows if a newer version removed the file.
 * `waiting` is rendered until it is loaded; `prefetch` loads it in advance. `name` must be unique.
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
  /** The part if it is already loaded, otherwise nothing. It never starts loading. */
  // biome-ignore lint/correctness/noComponentHookFactories: see above
  function Fetched(props: Props) {
    const { data } = useQuery({ ...query, enabled: false })
    return data === undefined ? null : <data.Part {...props} />
  }
  LazyPart.Fetched = Fetched
  LazyPart.prefetch = (queryClient: QueryClient): Promise<void> => queryClient.prefetchQuery(query)
  return LazyPart
}

/**
 * Loads parts one by one while the page has no pending requests, so that they open without delay and during an outage. A part that is needed earlier
 * loads then. `parts` must be a constant.
 */
export function usePrefetchParts(parts: readonly Pick<ReturnType<typeof lazyPart>, 'prefetch'>[]): void {
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => {
    const left = [...parts]
    const isLoading = () => router.state.isLoading || queryClient.isFetching() > 0
    return whenQuiet(isLoading, () => {
      const next = left.shift()
      void next?.prefetch(queryClient)
      return next === undefined
    })
  }, [parts, queryClient, router])
}
