import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { type ListSearch, useListSearch } from '../../ui/lists/use-list-search.ts'
import { DecideSiteDialog, type SiteDecision } from './decide-site-dialog.tsx'
import { type ProposedSitesSearch, parseProposedSitesSearch } from './scan-search.ts'
import classes from './scanning.module.css'
import { proposedSitesQuery } from './scanning.queries.ts'
import { SiteRow } from './website-tab.tsx'

export function ProposedSitesScreen() {
  return <ProposedSites {...useListSearch(parseProposedSitesSearch)} />
}

/** Proposed official sites of all prospects, or the answers to the own proposals. */
function ProposedSites({ search: { show }, set, clear, isFiltered }: ListSearch<ProposedSitesSearch>) {
  const list = useInfiniteQuery(proposedSitesQuery(show ?? 'proposed'))
  const deciding = useDialog<SiteDecision>()
  const canDecide = useCan('scanning.approve_site')
  return (
    <Page
      title="Websites"
      tab="Proposed sites"
      lead="Websites that a colleague proposed as the official website of a prospect. Another person approves or rejects each proposal."
    >
      <FilterBar isFiltered={isFiltered} clear={clear}>
        <FilterSelect
          label="Show"
          placeholder="Sites without a decision"
          options={[{ value: 'answered', label: 'Decisions on my proposals' }]}
          value={show}
          onChange={(next) => set({ show: next === undefined ? undefined : 'answered' })}
        />
      </FilterBar>
      <ListBody
        list={list}
        data={list.data}
        noun="proposed sites"
        clear={isFiltered ? clear : null}
        empty={
          isFiltered ? (
            <Empty title="No decision on your proposals">Decisions are listed for 7 days.</Empty>
          ) : (
            <Empty title="No proposed site">To propose a site, open the Website tab of a prospect.</Empty>
          )
        }
      >
        {(sites) => (
          <ul className={classes.rows} aria-label="Proposed sites, newest first">
            {sites.map((site) => (
              <SiteRow
                key={site.id}
                site={site}
                decide={canDecide ? deciding.open : null}
                about={
                  <Link
                    to="/prospects/$businessId"
                    params={{ businessId: site.businessId }}
                    search={{ tab: 'website' }}
                  >
                    Open prospect
                  </Link>
                }
              />
            ))}
          </ul>
        )}
      </ListBody>
      {deciding.slot((site, dialog) => (
        <DecideSiteDialog {...site} {...dialog} />
      ))}
    </Page>
  )
}
