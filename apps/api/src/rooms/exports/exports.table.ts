declare module '../../store/database.ts' {
  interface Database {
    exports: ExportTable
    export_files: ExportFileTable
  }
}

export const exportSources = ['prospects', 'report'] as const
export const exportFormats = ['csv', 'jsonl'] as const
/** What becomes of a record that is do not contact: it is not in the file, or it is marked there and without its contact values. */
export const suppressedPolicies = ['leave_out', 'mark'] as const
/** Why a file is not there any more: its time, room for newer ones, an erasure, or a restore of the store. */
export const removalCauses = ['expired', 'replaced', 'erasure', 'missing'] as const
export type RemovalCause = (typeof removalCauses)[number]

export type ExportTable = {
  tenant_id: string
  id: string
  /** the first attempt; a retry of it writes the same export's file */
  job_id: string
  source: (typeof exportSources)[number]
  report_id: string | null
  format: (typeof exportFormats)[number]
  suppressed: (typeof suppressedPolicies)[number]
  /** `q`, what was searched for, is null once an erasure has emptied it */
  filter_json: string
  created_at: string
  created_by: string
}

export type ExportFileTable = {
  tenant_id: string
  export_id: string
  rows: number
  /** records that the filter let through and the file does not hold, because they are do not contact */
  left_out: number
  /** those that it holds without their contact values */
  marked: number
  bytes: number
  sha256: string
  /** of the contact values beside the file */
  values_sha256: string
  /** when the first record was read */
  begun_at: string
  written_at: string
  expires_at: string
  removed_at: string | null
  removed_because: RemovalCause | null
}
