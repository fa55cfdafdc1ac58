import type { Score } from '@prospect/api-client'
import soft from '../text/status.module.css'
import { useScoreBands } from './active-scoring.ts'
import { bandName, rangeWords, scoreStatusWords, shortPriority } from './score-words.ts'

/** Score as a number or a range, and whether it is out of date. For blocked and unscored prospects, only the status. */
export function ScoreText({ score }: { score: Score }) {
  const { low, high, status } = score
  const words = scoreStatusWords[status]
  if (low === null || high === null) return <span className={soft.soft}>{words ?? '–'}</span>
  return (
    <span>
      {rangeWords(low, high)}
      {words !== null && <span className={soft.soft}>{words}</span>}
    </span>
  )
}

/** Priority of a score, such as 'A' or 'At least B'. */
export function PriorityText({ score }: { score: Score }) {
  return <>{shortPriority(useScoreBands(), score) ?? '–'}</>
}

export function ReachableText({ score }: { score: Score }) {
  const bands = useScoreBands()
  return <>{score.reachable === null ? '–' : bandName(bands, score.reachable)}</>
}
