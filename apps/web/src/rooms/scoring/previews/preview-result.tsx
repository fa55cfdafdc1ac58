import type { ScoringPreview } from '@prospect/api-client'
import { countWords } from '../../../ui/text/count-words.ts'
import { DateTime } from '../../../ui/text/date-time.tsx'
import classes from '../scoring.module.css'
import { previewPermission } from '../scoring.queries.ts'
import { Distribution } from './distribution.tsx'
import { JobProgress } from './job-progress.tsx'
import { Matrix } from './matrix.tsx'

/** Result of a full preview: progress, failure, or counts and matrices. */
export function PreviewResult({ preview }: { preview: ScoringPreview }) {
  const { result, status } = preview
  if (result === null) return <NotMade preview={preview} status={status} />
  return (
    <div className={classes.stack}>
      <p className={classes.note}>
        Computed <DateTime at={result.asOf} as="dateTime" /> from{' '}
        {countWords(result.records, 'active prospect', 'active prospects')}
        {preview.against === null
          ? '. There were no active scores to compare with'
          : `, against version ${preview.against.version}`}
        . No score was written. Stored until <DateTime at={preview.expiresAt} as="date" />.
      </p>
      {result.failed > 0 && (
        <p className={classes.warning}>
          The numbers do not include {countWords(result.failed, 'prospect', 'prospects')} that could not be read.
        </p>
      )}
      <Distribution before={result.before} after={result.after} />
      <Matrix preview={preview} result={result} of="priority" />
      <Matrix preview={preview} result={result} of="eligibility" />
    </div>
  )
}

function NotMade({ preview, status }: { preview: ScoringPreview; status: ScoringPreview['status'] }) {
  if (status === 'failed')
    return (
      <p className={classes.warning}>The preview failed. Open its job to see the reason, then start a new preview.</p>
    )
  if (status === 'cancelled') return <p className={classes.note}>The preview was cancelled. Start a new preview.</p>
  return <JobProgress jobId={preview.jobId} label="The preview" permission={previewPermission} />
}
