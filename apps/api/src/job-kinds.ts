import type { Config } from './config.ts'
import { auditVerification } from './rooms/audit/audit.jobs.ts'
import { csvPreviewJob } from './rooms/csv-preview/csv-preview.jobs.ts'
import { exportJob } from './rooms/exports/exports.jobs.ts'
import { demonstration, type JobKinds, jobKindsOf } from './rooms/jobs/jobs.ts'
import { matchRun, renormalization } from './rooms/matching/matching.ts'
import { reportJob } from './rooms/reports/reports.jobs.ts'
import { sampleData } from './rooms/sample-data/sample-data.jobs.ts'
import { suppressionReevaluation } from './rooms/suppression/suppression.jobs.ts'

/** Every kind of job that this build knows. A room adds its own by a file `<room>.jobs.ts` and a line here. */
export function jobKinds({ environment }: Pick<Config, 'environment'>): JobKinds {
  const kinds = [
    auditVerification,
    matchRun,
    renormalization,
    sampleData,
    reportJob,
    exportJob,
    csvPreviewJob,
    suppressionReevaluation,
  ]
  return jobKindsOf(environment === 'local' ? [...kinds, demonstration] : kinds)
}
