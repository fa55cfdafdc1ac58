declare module '../../store/database.ts' {
  interface Database {
    erasures: ErasureTable
  }
}

export type ErasureTable = {
  tenant_id: string
  business_id: string
  /** the record that was erased, with all that had been merged into it */
  root_id: string
  at: string
  actor: string
}
