// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    exports: ExportTable
    export_files: ExportFileTable
    export_records: ExportRecordTable
  }
}

export const exportSources = ['prospects', 'report', 'audit'] as const
export const exportFormats = ['csv', 'jsonl'] as const
/** Treatments of do-not-contact records: omit them, or include them with a mark and without contact values. */
export const suppressedPolicies = ['leave_out', 'mark'] as const
/** Causes of a file's deletion: expiry, replacement by newer files, an erasure, or a missing file, for example after a restore. */
export const removalCauses = ['expired', 'replaced', 'erasure', 'missing'] as const
export type RemovalCause = (typeof removalCauses)[number]

export type ExportTable = {
  tenant_id: string
  id: string
  /** first attempt of the job; a retry writes the file of the same export */
  job_id: string
  source: (typeof exportSources)[number]
  report_id: string | null
  format: (typeof exportFormats)[number]
  suppressed: (typeof suppressedPolicies)[number]
  /** JSON of the conditions, in which an erasure empties values */
  filter_json: string
  created_at: string
  created_by: string
  /** JSON of the layout of a CSV file for a spreadsheet; null for programs */
  spreadsheet: string | null
  /** JSON of the conditions of the audit list; null for another source */
  audit_filter: string | null
}

export type ExportFileTable = {
  tenant_id: string
  export_id: string
  rows: number
  /** number of records that match the filter but were omitted, because they are do not contact */
  left_out: number
  /** number of records that were included without their contact values */
  marked: number
  bytes: number
  sha256: string
  /** hash of the file that contains the contact values for the gate */
  values_sha256: string
  /** time at which the first record was read */
  begun_at: string
  written_at: string
  expires_at: string
  removed_at: string | null
  removed_because: RemovalCause | null
}

/** A record that a file contained. */
export type ExportRecordTable = {
  /** the number of the tenant */
  tenant: number
  /** the number of the business */
  docid: number
  export_id: string
}
