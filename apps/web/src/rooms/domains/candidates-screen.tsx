import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useActions } from '../../ui/actions/actions.ts'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { BehindNotice } from '../../ui/jobs/behind-notice.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FilterBar } from '../../ui/lists/filters.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { SearchField } from '../../ui/lists/search-field.tsx'
import { useCards } from '../../ui/lists/use-cards.ts'
import { useListSearch } from '../../ui/lists/use-list-search.ts'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { CandidateCard, DecideDomainDialog, type Deciding } from './candidate-card.tsx'
import { parseCandidateSearch } from './domain-search.ts'
import { HIDDEN } from './domain-words.ts'
import classes from './domains.module.css'
import { candidatesQuery, type ListedDomain, previewRejection, waitingQuery } from './domains.queries.ts'
import { RejectDomainDialog, type Rejecting } from './reject-domain-dialog.tsx'
import { UnicodeName } from './unicode-name.tsx'

/** Domains with candidates that wait for a decision. A domain with one candidate shows it; the candidates of others are shown on request. */
export function CandidatesScreen() {
  const { search, set, clear, isFiltered } = useListSearch(parseCandidateSearch)
  const list = useInfiniteQuery(waitingQuery(search))
  const deciding = useDialog<Deciding>()
  const rejecting = useDialog<Rejecting>()
  const { cards, move, press } = useCards<HTMLOListElement, Deciding['decision']>()
  const group = 'Domains'
  const permission = 'domains.decide'
  useActions('screen', [
    { id: 'candidates-next', label: 'Next candidate', group, keys: 'j', inPalette: false, run: move(1) },
    { id: 'candidates-previous', label: 'Previous candidate', group, keys: 'k', inPalette: false, run: move(-1) },
    { id: 'candidates-accept', label: 'Accept candidate', group, keys: 'y', permission, run: press('accept') },
    { id: 'candidates-reject', label: 'Reject candidate', group, keys: 'r', permission, run: press('reject') },
  ])
  return (
    <Page
      title="Domain candidates"
      back={<BackLink to="/domains">Domains</BackLink>}
      lead="Domains that may belong to a prospect. A person decides, because DNS does not prove who owns a domain."
    >
      <BehindNotice of="domains" />
      <FilterBar isFiltered={isFiltered} clear={clear}>
        <SearchField
          label="Domain contains"
          buttonLabel="Search"
          placeholder="example.co.za"
          maxLength={253}
          q={search.search ?? ''}
          search={(typed) => set({ search: typed })}
          action={{ id: 'candidates-search', label: 'Search domains', group }}
        />
      </FilterBar>
      <ListBody
        list={list}
        data={list.data}
        noun="domains"
        clear={isFiltered ? clear : null}
        empty={
          <Empty title="No candidates to decide">
            Suggestions appear here when records, evidence or DNS answers change.
          </Empty>
        }
      >
        {(domains) => (
          <ol ref={cards} className={`${classes.candidates} ${classes.list}`} aria-label="Domains with candidates">
            {domains.map((domain) => (
              <li key={domain.id}>
                <DomainGroup domain={domain} decide={deciding.open} rejectAll={rejecting.open} />
              </li>
            ))}
          </ol>
        )}
      </ListBody>
      {deciding.slot((decision, dialog) => (
        <DecideDomainDialog {...decision} {...dialog} />
      ))}
      {rejecting.slot((rejection, dialog) => (
        <RejectDomainDialog {...rejection} {...dialog} />
      ))}
    </Page>
  )
}

type GroupProps = {
  domain: ListedDomain
  decide: (deciding: Deciding) => void
  rejectAll: (rejecting: Rejecting) => void
}

function DomainGroup({
  domain: { domain, unicode, uses, openCandidates, doNotContact },
  decide,
  rejectAll,
}: GroupProps) {
  const heading = useId()
  const [isShown, setShown] = useState(openCandidates === 1)
  const canDecide = useCan('domains.decide')
  const preview = useMutation({
    meta: { notDone: 'the preview' },
    mutationFn: () => previewRejection(domain),
    onSuccess: (counted) => rejectAll({ domain, preview: counted }),
  })
  if (domain === HIDDEN)
    return (
      <p className={classes.soft}>
        A domain that you may not see has {countWords(openCandidates, 'candidate', 'candidates')}.
      </p>
    )
  return (
    <section aria-labelledby={heading} className={classes.group}>
      <div className={classes.groupHead}>
        <h2 id={heading} className={classes.part}>
          <Link to="/domains/about" search={{ domain }}>
            <UnicodeName of={unicode} />
          </Link>
        </h2>
        {doNotContact && <DoNotContactMark />}
        <span className={classes.soft}>
          {countWords(openCandidates, 'candidate waits', 'candidates wait')} ·{' '}
          {uses === 0 ? 'no prospect uses it' : `${countWords(uses, 'prospect uses', 'prospects use')} it`}
        </span>
        {openCandidates > 1 && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`${isShown ? 'Hide' : 'Show'} candidates of ${domain}`}
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
        {openCandidates > 1 && canDecide && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Reject all of ${domain}`}
            loading={preview.isPending}
            onClick={() => preview.mutate()}
          >
            Reject all…
          </Button>
        )}
      </div>
      {isShown && <GroupCards domain={domain} decide={decide} />}
    </section>
  )
}

function GroupCards({ domain, decide }: { domain: string; decide: (deciding: Deciding) => void }) {
  const list = useInfiniteQuery(candidatesQuery(domain))
  return (
    <ListBody
      list={list}
      data={list.data}
      noun="candidates"
      lines={4}
      empty={<p className={classes.soft}>No candidate waits any more.</p>}
    >
      {(items) => (
        <ol className={classes.candidates} aria-label={`Candidates of ${domain}`}>
          {items.map((candidate) => (
            <li key={candidate.id}>
              <CandidateCard summary={candidate} decide={decide} />
            </li>
          ))}
        </ol>
      )}
    </ListBody>
  )
}
