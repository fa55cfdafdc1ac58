import type { MatchSuggestion } from '@prospect/api-client'
import { IconEqual, IconEyeSearch } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'
import { bandWords } from './matching-words.ts'

const bands: Record<MatchSuggestion['band'], Status> = {
  strong: { label: bandWords.strong, Icon: IconEqual, tone: 'good' },
  review: { label: bandWords.review, Icon: IconEyeSearch, tone: 'warning' },
}

/** Band of a suggestion. */
export const BandMark = ({ band }: Pick<MatchSuggestion, 'band'>) => <StatusMark {...bands[band]} />
