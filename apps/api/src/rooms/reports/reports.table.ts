// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    reports: ReportTable
    report_results: ReportResultTable
  }
}

export type ReportTable = {
  tenant_id: string
  id: string
  /** first attempt of the job; a retry stores the result of the same report */
  job_id: string
  name: string
  /** first and last calendar day in the time zone, both included */
  first_day: string
  last_day: string
  time_zone: string
  /** interval as instants; the end is excluded */
  starts_at: string
  ends_at: string
  as_of: string
  filter_json: string
  created_at: string
  created_by: string
}

export type ReportResultTable = {
  tenant_id: string
  report_id: string
  figures_version: string
  figures_json: string
  /** SHA-256 of the figures in their canonical form */
  figures_hash: string
  businesses: number
  computed_at: string
}
