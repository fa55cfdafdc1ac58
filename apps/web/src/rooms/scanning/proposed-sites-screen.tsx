import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../ui/api/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { DecideSiteDialog, type SiteDecision } from './decide-site-dialog.tsx'
import classes from './scanning.module.css'
import { proposedSitesQuery } from './scanning.queries.ts'
import { SiteRow } from './website-tab.tsx'

/** Proposed official sites of all prospects. */
export function ProposedSitesScreen() {
  const list = useInfiniteQuery(proposedSitesQuery)
  const deciding = useDialog<SiteDecision>()
  const canDecide = useCan('scanning.approve_site')
  return (
    <Page
      title="Websites"
      tab="Proposed sites"
      lead="Websites that a colleague proposed as the official website of a prospect. Another person approves or rejects each proposal."
    >
      <ListBody
        list={list}
        data={list.data}
        noun="proposed sites"
        empty={<Empty title="No proposed site">To propose a site, open the Website tab of a prospect.</Empty>}
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
