import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { markOf, useSession } from '../../ui/api/session.ts'
import { connectChanges } from './connect-changes.ts'
import { keepCurrent } from './keep-current.ts'

/** Connects to the stream of changes, so that visible data shows the changes of other people. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const { userId, tenantId } = markOf(useSession())
  useEffect(() => connectChanges({ userId, tenantId }), [userId, tenantId])
  useEffect(() => keepCurrent(queryClient), [queryClient])
  return null
}
