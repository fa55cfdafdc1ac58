import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { ScanItem } from './scan-item.tsx'
import classes from './scanning.module.css'
import { scansQuery } from './scanning.queries.ts'

export function WebsitesScreen() {
  if (!useCan('scanning.read')) return <NoPermission isPage what="websites" />
  return <Websites />
}

function Websites() {
  const list = useInfiniteQuery(scansQuery())
  return (
    <Page
      title="Websites"
      tab="Websites"
      lead="What pages of prospects said when they were observed. A scan is evidence about a page, not about the business."
    >
      <ListBody
        list={list}
        data={list.data}
        noun="scans"
        empty={<Empty title="No scan yet">Supply a saved page on the Website tab of a prospect.</Empty>}
      >
        {(scans) => (
          <ol className={classes.rows} aria-label="Scans, newest first">
            {scans.map((scan) => (
              <ScanItem
                key={scan.id}
                scan={scan}
                about={
                  <Link
                    to="/prospects/$businessId"
                    params={{ businessId: scan.businessId }}
                    search={{ tab: 'website' }}
                  >
                    Open the prospect
                  </Link>
                }
              />
            ))}
          </ol>
        )}
      </ListBody>
    </Page>
  )
}
