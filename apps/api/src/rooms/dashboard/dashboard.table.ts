// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    dashboard_arrangements: ArrangementTable
  }
}

export type ArrangementTable = {
  tenant_id: string
  user_id: string
  version: number
  tiles: string
  updated_at: string
}
