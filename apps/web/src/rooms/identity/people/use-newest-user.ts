import type { User } from '@prospect/api-client'
import { getUserOptions } from '@prospect/api-client/query'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answersOf } from '../../../ui/api/query-keys.ts'

/**
 * The newest known version of a person, for a dialog that opened with a row of the list. The list may have other pages by then, and a dialog with
 * an old version would be refused again and again. `reload` reads the person and the list; call it after a refusal.
 */
export function useNewestUser(opened: User): { user: User; reload: () => Promise<void> } {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    ...getUserOptions({ path: { id: opened.id } }),
    initialData: opened,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const reload = async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: answersOf('getUser') }),
      queryClient.invalidateQueries({ queryKey: answersOf('listUsers') }),
    ])
  }
  return { user: data.version > opened.version ? data : opened, reload }
}
