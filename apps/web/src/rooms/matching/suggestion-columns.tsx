import type { MatchCandidate, MatchReason, MatchSuggestionSummary } from '@prospect/api-client'
import { IconMinus, IconPlus, IconPointFilled } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import cells from '../../ui/lists/cells.module.css'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { PipelineBadge } from '../../ui/prospects/pipeline-badge.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { BandMark } from './band-mark.tsx'
import { addsNothing, percent, reasonText } from './matching-words.ts'
import classes from './pairs.module.css'

/** Columns of the list of pairs, with reasons for and against. */
export const suggestionColumns: readonly DataColumn<MatchSuggestionSummary>[] = [
  {
    id: 'pair',
    label: 'Records',
    width: 20,
    isFixed: true,
    isGrowing: true,
    render: (suggestion) => <PairLink suggestion={suggestion} />,
  },
  {
    id: 'score',
    label: 'Similarity',
    width: 8,
    render: ({ band, score }) => (
      <>
        <BandMark band={band} />
        <span className={cells.under}>{percent(score)}</span>
      </>
    ),
  },
  {
    id: 'reasons',
    label: 'Reasons',
    width: 22,
    isGrowing: true,
    narrow: 'wide',
    render: ({ reasons }) => (
      <ul className={classes.why}>
        {reasons.map((reason) => (
          <Why key={`${reason.field} ${reason.text}`} reason={reason} />
        ))}
      </ul>
    ),
  },
  {
    id: 'suggestedAt',
    label: 'Suggested',
    width: 9,
    render: ({ createdAt, proposedAgain }) => (
      <>
        <DateTime at={createdAt} />
        {proposedAgain && <span className={cells.under}>Suggested again after a rejection</span>}
      </>
    ),
  },
]

/** Link to a pair with the filters of its list, so that the pair's page can link to its neighbours. */
function PairLink({ suggestion }: { suggestion: MatchSuggestionSummary }) {
  const search = useSearch({ from: '/desk/duplicates' })
  return (
    <Link
      to="/duplicates/$suggestionId"
      params={{ suggestionId: suggestion.id }}
      search={search}
      preload={false}
      data-pair={suggestion.id}
      className={classes.pair}
    >
      {suggestion.businesses.map((one, at) => (
        <Candidate key={one.id} candidate={one} isSecond={at === 1} />
      ))}
    </Link>
  )
}

function Candidate({ candidate, isSecond }: { candidate: MatchCandidate; isSecond: boolean }) {
  const { name, city, pipelineState, doNotContact } = candidate
  return (
    <span className={classes.candidate}>
      <span className={classes.candidateName}>
        {isSecond && <span className="pp-visually-hidden">and </span>}
        <Name of={name} />
        {doNotContact && <DoNotContactMark />}
      </span>
      <small>
        <PipelineBadge state={pipelineState} />
        {city !== null && <Name of={city} />}
      </small>
    </span>
  )
}

function Why({ reason }: { reason: MatchReason }) {
  const { weight } = reason
  const side = addsNothing(weight) ? 'neither' : weight < 0 ? 'against' : 'for'
  const { Icon, words } = sides[side]
  return (
    <li data-side={side}>
      <Icon size={13} stroke={2} aria-hidden />
      <span>
        <span className="pp-visually-hidden">{words}: </span>
        <Name of={reasonText(reason)} />
      </span>
    </li>
  )
}

const sides = {
  for: { Icon: IconPlus, words: 'For' },
  against: { Icon: IconMinus, words: 'Against' },
  neither: { Icon: IconPointFilled, words: 'No effect' },
} as const
