declare module '../../store/database.ts' {
  interface Database {
    erasures: ErasureTable
  }
}

export type ErasureTable = {
  tenant_id: string
  business_id: string
  /** the erased record, with all records merged into it */
  root_id: string
  at: string
  actor: string
}
