import type { MatchCandidate, MatchReason, MatchSuggestionSummary } from '@prospect/api-client'
import { IconMinus, IconPlus, IconPointFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { isFocusLost } from '../../ui/focus/lost-focus.ts'
import { useListMemory } from '../../ui/lists/list-memory.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { PipelineBadge } from '../../ui/prospects/pipeline-badge.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { BandMark } from './band-mark.tsx'
import type { DuplicatesSearch } from './duplicates-search.ts'
import { addsNothing, percent } from './matching-words.ts'
import classes from './pairs.module.css'

type Props = { items: MatchSuggestionSummary[]; search: DuplicatesSearch }

/** The pairs, each with what speaks for and against it; `j` and `k` walk through them, Enter compares. */
export function SuggestionTable({ items, search }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { initial, remember } = useListMemory(`duplicates ${JSON.stringify(search)}`)
  const links = () => [...(body.current?.querySelectorAll<HTMLAnchorElement>('a[data-pair]') ?? [])]
  useEffect(() => {
    // Back from a pair: the keys go on from its row.
    const known = [...(body.current?.querySelectorAll<HTMLAnchorElement>('a[data-pair]') ?? [])]
    if (isFocusLost()) known.find(({ dataset }) => dataset.pair === initial.activeId)?.focus()
  }, [initial])
  const move = (by: 1 | -1) => {
    const all = links()
    const at = all.findIndex((link) => link.matches(':focus'))
    all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
  }
  const next = { label: 'Next pair', group: 'Duplicates', inPalette: false, run: () => move(1) }
  const previous = { label: 'Previous pair', group: 'Duplicates', inPalette: false, run: () => move(-1) }
  useActions('screen', [
    { ...next, id: 'duplicates-next', keys: 'j' },
    { ...previous, id: 'duplicates-previous', keys: 'k' },
    { ...next, id: 'duplicates-down', keys: 'ArrowDown' },
    { ...previous, id: 'duplicates-up', keys: 'ArrowUp' },
  ])
  return (
    <table className={classes.table} aria-label="Suggested duplicates">
      <thead>
        <tr>
          <th scope="col">The two records</th>
          <th scope="col">Likeness</th>
          <th scope="col">Why</th>
          <th scope="col">Proposed</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((item) => (
          <tr key={item.id}>
            <td className={classes.pair}>
              <Link
                to="/duplicates/$suggestionId"
                params={{ suggestionId: item.id }}
                search={search}
                preload={false}
                data-pair={item.id}
                onFocus={() => remember({ activeId: item.id })}
              >
                {item.businesses.map((one, at) => (
                  <Candidate key={one.id} candidate={one} isSecond={at === 1} />
                ))}
              </Link>
            </td>
            <td className={classes.likeness}>
              <BandMark band={item.band} />
              <span className={classes.soft}>{percent(item.score)}</span>
            </td>
            <td>
              <ul className={classes.why}>
                {item.reasons.map((reason) => (
                  <Why key={`${reason.field} ${reason.text}`} reason={reason} />
                ))}
              </ul>
            </td>
            <td className={classes.when}>
              <DateTime at={item.createdAt} />
              {item.proposedAgain && <span className={classes.again}>again, rejected before</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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

function Why({ reason: { weight, text } }: { reason: MatchReason }) {
  const side = addsNothing(weight) ? 'neither' : weight < 0 ? 'against' : 'for'
  const { Icon, words } = sides[side]
  return (
    <li data-side={side}>
      <Icon size={13} stroke={2} aria-hidden />
      <span>
        <span className="pp-visually-hidden">{words}: </span>
        <Name of={text} />
      </span>
    </li>
  )
}

const sides = {
  for: { Icon: IconPlus, words: 'For' },
  against: { Icon: IconMinus, words: 'Against' },
  neither: { Icon: IconPointFilled, words: 'Adds nothing' },
} as const
