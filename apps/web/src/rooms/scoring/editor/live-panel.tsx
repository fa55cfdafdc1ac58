import type { ScoringContent, ScoringSample, ScoringTrial } from '@prospect/api-client'
import { isProblem, sentenceOf } from '../../../ui/api/api-problem.ts'
import { LoadingLines } from '../../../ui/layout/states.tsx'
import { ProspectSelect } from '../../../ui/prospects/prospect-select.tsx'
import { rangeWords } from '../../../ui/prospects/score-words.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { Distribution } from '../previews/distribution.tsx'
import { ExplainedParts } from '../record/explained-parts.tsx'
import { eligibilityPhrase, priorityWords } from '../score-words.ts'
import classes from '../scoring.module.css'

type Read<Data> = { data: Data | undefined; error: unknown; isPlaceholderData: boolean }

type Props = {
  content: ScoringContent
  sample: Read<ScoringSample>
  trial: Read<ScoringTrial>
  businessId: string | null
  choose: (businessId: string | null) => void
}

/** Result of the rules as typed, for one chosen prospect and for a sample of the workspace. */
export function LivePanel({ content, sample, trial, businessId, choose }: Props) {
  return (
    <aside className={classes.stack} aria-label="Result of these rules">
      <h2>Test a prospect</h2>
      <ProspectSelect label="Prospect" chosen={businessId} choose={choose} clearable />
      {businessId !== null && <TrialResult content={content} trial={trial} />}
      <h2>Sample of the workspace</h2>
      <SampleResult sample={sample} />
    </aside>
  )
}

function TrialResult({ content, trial }: { content: ScoringContent; trial: Read<ScoringTrial> }) {
  const { data, error } = trial
  if (error !== null) return <Refused error={error} />
  if (data === undefined) return <LoadingLines lines={3} />
  const { low, high, eligibility } = data
  const priority = priorityWords(content.bands, data)
  return (
    <div className={classes.stack} role="status" aria-label="Result for the prospect">
      <p className={classes.score}>
        {low === null || high === null ? (
          'No score'
        ) : (
          <>
            {rangeWords(low, high)} <span>of 100</span>
          </>
        )}
      </p>
      <p>{[priority, eligibilityPhrase(eligibility)].filter((words) => words !== null).join(', ')}</p>
      <ExplainedParts score={data} />
    </div>
  )
}

function SampleResult({ sample }: { sample: Read<ScoringSample> }) {
  const { data, error } = sample
  if (error !== null) return <Refused error={error} />
  if (data === undefined) return <LoadingLines lines={4} />
  return (
    <div className={classes.stack}>
      <p className={classes.note} role="status">
        {formatNumber(data.sampled)} of {countWords(data.of, 'sampled prospect', 'sampled prospects')} of the workspace
        were scored.
        {data.active === null ? ' There are no active scores to compare with.' : ' “Before” shows the active version.'}
        {data.failed > 0 && ` ${countWords(data.failed, 'prospect', 'prospects')} could not be read.`}
      </p>
      <Distribution before={data.active} after={data.distribution} />
    </div>
  )
}

function Refused({ error }: { error: unknown }) {
  return (
    <p className={classes.warning}>
      {isProblem(error, 'invalid_request') ? 'Correct the marked fields to see a result.' : sentenceOf(error)}
    </p>
  )
}
