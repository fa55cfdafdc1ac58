// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    audit_checkpoints: AuditCheckpointTable
  }
}

/** The newest signed checkpoint of a tenant's chain. `number` and `line_hash` identify its line in the checkpoint file. */
export type AuditCheckpointTable = {
  tenant_id: string
  sequence: number
  signed_at: string
  number: number
  line_hash: string
}
