import { useCallback } from 'react'
import { useSession } from '../../api/session.ts'
import { useStored } from '../../forms/use-stored.ts'
import { type ColumnFacts, type ColumnPreferences, readPreferences } from './column-preferences.ts'

/** Preferences for the columns of one table, per user and tenant. `columns` must be a constant. */
export function useColumnPreferences(
  table: string,
  columns: readonly ColumnFacts[],
): [ColumnPreferences, (preferences: ColumnPreferences) => void] {
  const { user, tenant } = useSession()
  const parse = useCallback((kept: unknown) => readPreferences(kept, columns), [columns])
  return useStored(`prospect-columns:${user.id}:${tenant.id}:${table}`, parse)
}
