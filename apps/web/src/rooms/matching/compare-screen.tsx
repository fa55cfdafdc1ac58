import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page, PageBack, PageHead } from '../../ui/layout/page.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { BandMark } from './band-mark.tsx'
import { DecisionSummary, ProposedAgain } from './decision-summary.tsx'
import type { DuplicatesSearch } from './duplicates-search.ts'
import classes from './matching.module.css'
import { pairQuery } from './matching.queries.ts'
import { isBlocked, percent, statusWords } from './matching-words.ts'
import { MergeForm } from './merge-form.tsx'
import { PairChanged } from './pair-changed.tsx'
import { changesOf, hasChanged, type Pair } from './pair-changes.ts'
import { BlockedIdsContext, PairMark } from './pair-mark.tsx'
import { Reasons } from './reasons.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { ScoreDetails } from './score-details.tsx'
import { type PairNeighbours, usePairNeighbours } from './use-pair-neighbours.ts'

/** Two records side by side: reasons for and against a match, consequences of a merge, and the decision. */
export function CompareScreen() {
  const { suggestionId } = useParams({ from: '/desk/duplicates/$suggestionId' })
  const pair = useQuery(pairQuery(suggestionId))
  return (
    <RecordBody record={pair} what="this pair" lines={12}>
      {(latest) => <Comparison key={suggestionId} latest={latest} look={async () => (await pair.refetch()).data} />}
    </RecordBody>
  )
}

type Props = {
  latest: Pair
  /** Reads the current state of the pair. */
  look: () => Promise<Pair | undefined>
}

/**
 * The screen keeps the version of the pair that the user has seen, because only that can be confirmed. A newer version is announced and shown on
 * request. Only a do-not-contact mark appears immediately.
 */
function Comparison({ latest, look }: Props) {
  const [seen, setSeen] = useState(latest)
  const [earlier, setEarlier] = useState<Pair | null>(null)
  const [refusal, setRefusal] = useState<{ error: unknown; count: number } | null>(null)
  const { suggestion } = seen
  const isOpen = suggestion.status === 'open'
  const isOld = hasChanged(seen, latest)
  const showNow = async () => {
    const now = await look()
    if (now === undefined) return
    setEarlier(seen)
    setSeen(now)
    setRefusal(null)
  }
  const canMerge = useCan('matching.merge')
  const navigate = useNavigate()
  const search = useSearch({ from: '/desk/duplicates/$suggestionId' })
  const neighbours = usePairNeighbours(suggestion, search)
  return (
    <BlockedIdsContext value={latest.suggestion.businesses.filter(isBlocked).map(({ id }) => id)}>
      <Page>
        <Head pair={seen} search={search} neighbours={neighbours} />
        {isOpen ? <ProposedAgain suggestion={suggestion} /> : <DecisionSummary suggestion={suggestion} />}
        {(isOld || refusal !== null) && (
          <PairChanged
            key={refusal?.count ?? 0}
            changes={isOld ? changesOf(seen, latest) : []}
            error={refusal?.error ?? null}
            showNow={showNow}
          />
        )}
        <Reasons suggestion={suggestion} />
        <MergeForm
          pair={seen}
          earlier={earlier}
          mode={!isOpen ? 'decided' : canMerge ? 'deciding' : 'reading'}
          isOld={isOld}
          merged={(mergeId) =>
            navigate({
              to: '/duplicates/merges/$mergeId',
              params: { mergeId },
              search,
              state: { pairAfterMerge: neighbours.next },
              replace: true,
            })
          }
          refused={(error) => {
            setRefusal((before) => ({ error, count: (before?.count ?? 0) + 1 }))
            void look()
          }}
        />
        <ScoreDetails suggestion={suggestion} />
      </Page>
    </BlockedIdsContext>
  )
}

type HeadProps = { pair: Pair; search: DuplicatesSearch; neighbours: PairNeighbours }

function Head({ pair: { suggestion }, search, neighbours: { previous, next, place } }: HeadProps) {
  const navigate = useNavigate()
  const rejecting = useDialog()
  const open = (id: string | null) =>
    id !== null &&
    void navigate({ to: '/duplicates/$suggestionId', params: { suggestionId: id }, search, replace: true })
  const back = () => void navigate({ to: '/duplicates', search, state: { isReturn: true } })
  const group = 'This pair'
  const toNext: Action = {
    id: 'pair-next',
    label: 'Next pair',
    shortLabel: 'Next',
    group,
    keys: 'j',
    unavailable: next === null && 'This is the last pair of the list.',
    run: () => open(next),
  }
  const toPrevious: Action = {
    id: 'pair-previous',
    label: 'Previous pair',
    shortLabel: 'Previous',
    group,
    keys: 'k',
    unavailable: previous === null && 'This is the first pair of the list.',
    run: () => open(previous),
  }
  const reject: Action = {
    id: 'pair-reject',
    label: 'Not a duplicate',
    group,
    keys: 'r',
    permission: 'matching.reject',
    unavailable: suggestion.status !== 'open',
    asksMore: true,
    run: () => rejecting.open(),
  }
  useActions('screen', [
    toNext,
    toPrevious,
    { id: 'pair-back', label: 'Back to list', group, keys: 'Escape', inPalette: false, run: back },
    reject,
  ])
  return (
    <>
      <PageBack>
        <BackLink to="/duplicates" search={search} state={{ isReturn: true }}>
          Duplicates
        </BackLink>
        <nav className={classes.neighbours} aria-label="Pairs">
          {place !== null && <span className={classes.soft}>{place}</span>}
          <ActionButton action={toPrevious} size="compact-sm" variant="default" />
          <ActionButton action={toNext} size="compact-sm" variant="default" />
        </nav>
      </PageBack>
      <PageHead
        title="Same business?"
        tab={suggestion.businesses.map(({ name }) => nameText(name)).join(' and ')}
        lead={
          <>
            <p className={classes.standing}>
              <BandMark band={suggestion.band} /> <span>{percent(suggestion.score)}</span>
              <span>{statusWords[suggestion.status]}</span>
            </p>
            <p className={classes.standing}>
              {suggestion.businesses.map((one, at) => (
                <span key={one.id} className={classes.side}>
                  {at === 1 && 'and '}
                  <b>
                    <Name of={one.name} />
                  </b>
                  <PairMark of={one} />
                </span>
              ))}
            </p>
          </>
        }
        actions={<ActionButton action={reject} variant="default" />}
      />
      {rejecting.slot((_, dialog) => (
        <RejectDialog suggestion={suggestion} rejected={() => (next === null ? back() : open(next))} {...dialog} />
      ))}
    </>
  )
}
