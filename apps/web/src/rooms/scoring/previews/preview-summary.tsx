import type { ScoringPreview } from '@prospect/api-client'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { changedIn } from './distribution-words.ts'

/** Result of a full preview in one sentence, beside its button. `preview` is undefined until the page has read it. */
export function PreviewSummary({ preview }: { preview: ScoringPreview | undefined }) {
  return preview === undefined ? null : (
    <>
      {summaryWords(preview)} <a href="#full-preview">Show the preview</a>
    </>
  )
}

export function summaryWords({ status, result, against }: ScoringPreview): string {
  if (result === null) {
    if (status === 'failed') return 'The preview failed.'
    return status === 'cancelled' ? 'The preview was cancelled.' : 'The preview is running.'
  }
  const records = countWords(result.records, 'prospect', 'prospects')
  const failed = result.failed === 0 ? '' : ` ${countWords(result.failed, 'prospect', 'prospects')} could not be read.`
  if (against === null) return `${records} previewed. There were no active scores to compare with.${failed}`
  const [priority, eligibility] = [changedIn(result.priority), changedIn(result.eligibility)].map(formatNumber)
  return `${records} previewed: ${priority} change priority, ${eligibility} change eligibility.${failed}`
}
