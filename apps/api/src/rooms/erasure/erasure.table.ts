// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    erasures: ErasureTable
  }
}

export type ErasureTable = {
  tenant_id: string
  business_id: string
  /** id of the erased record; all records merged into it were erased with it */
  root_id: string
  at: string
  actor: string
}
