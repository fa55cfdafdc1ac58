// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../../store/database.ts' {
  interface Database {
    saved_filters: SavedFilterTable
    saved_filter_defaults: FilterDefaultsTable
  }
}

export const desks = ['prospects', 'review'] as const
export type Desk = (typeof desks)[number]
export const sharings = ['private', 'tenant'] as const
export const problemReasons = ['unreadable', 'erased'] as const

export type SavedFilterTable = {
  tenant_id: string
  id: string
  version: number
  desk: Desk
  name: string
  name_key: string
  conditions: string
  sort: string | null
  view: string | null
  columns: string | null
  schema_version: number
  owner_id: string
  sharing: (typeof sharings)[number]
  is_locked: 0 | 1
  created_at: string
  updated_at: string
}

/** Default filters of a person. In the row of the tenant's defaults `user_id` is empty. */
export type FilterDefaultsTable = {
  tenant_id: string
  user_id: string
  version: number
  prospects: string | null
  review: string | null
}
