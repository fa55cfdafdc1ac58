declare module '../../store/database.ts' {
  interface Database {
    exports: ExportTable
    export_files: ExportFileTable
  }
}

export const exportSources = ['prospects', 'report'] as const
export const exportFormats = ['csv', 'jsonl'] as const
/** Treatment of do-not-contact records: omit them, or include them with a mark and without contact values. */
export const suppressedPolicies = ['leave_out', 'mark'] as const
/** Cause of a file's deletion: expiry, replacement by newer files, an erasure, or a restore of the store. */
export const removalCauses = ['expired', 'replaced', 'erasure', 'missing'] as const
export type RemovalCause = (typeof removalCauses)[number]

export type ExportTable = {
  tenant_id: string
  id: string
  /** the first attempt; a retry writes the same export's file */
  job_id: string
  source: (typeof exportSources)[number]
  report_id: string | null
  format: (typeof exportFormats)[number]
  suppressed: (typeof suppressedPolicies)[number]
  /** `q`, the search text, is null after an erasure emptied it */
  filter_json: string
  created_at: string
  created_by: string
}

export type ExportFileTable = {
  tenant_id: string
  export_id: string
  rows: number
  /** records that match the filter but are omitted, because they are do not contact */
  left_out: number
  /** included records without their contact values */
  marked: number
  bytes: number
  sha256: string
  /** hash of the file with the contact values */
  values_sha256: string
  /** the time at which the first record was read */
  begun_at: string
  written_at: string
  expires_at: string
  removed_at: string | null
  removed_because: RemovalCause | null
}
