import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Page } from '../../ui/layout/page.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import { FilterBar, FilterSelect } from '../../ui/lists/filters.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { type ListSearch, useListSearch } from '../../ui/lists/use-list-search.ts'
import { CancelScan } from './cancel-scan.tsx'
import { ScanItem } from './scan-item.tsx'
import { freshnessWords, optionsOf, originWords, parseScanSearch, type ScanSearch, stateWords } from './scan-search.ts'
import classes from './scanning.module.css'
import { scansQuery } from './scanning.queries.ts'

export function WebsitesScreen() {
  return <ScanList {...useListSearch(parseScanSearch)} />
}

/** Scans of the workspace that match the filters. */
export function ScanList({ search, set, clear, isFiltered }: ListSearch<ScanSearch>) {
  const { scanState, ...filter } = search
  const list = useInfiniteQuery(scansQuery({ ...filter, ...(scanState !== undefined && { state: scanState }) }))
  return (
    <Page
      title="Websites"
      tab="Websites"
      lead="What the pages of prospects showed at the time of a scan. A scan is evidence about a page, not about the business."
    >
      <FilterBar isFiltered={isFiltered} clear={clear}>
        <FilterSelect
          label="Origin"
          placeholder="All origins"
          options={optionsOf(originWords)}
          value={search.origin}
          onChange={(origin) => set({ origin })}
        />
        <FilterSelect
          label="State"
          placeholder="All states"
          options={optionsOf(stateWords)}
          value={search.scanState}
          onChange={(scanState) => set({ scanState })}
        />
        <FilterSelect
          label="Freshness"
          placeholder="Fresh and stale"
          options={optionsOf(freshnessWords)}
          value={search.freshness}
          onChange={(freshness) => set({ freshness })}
        />
      </FilterBar>
      <ListBody
        list={list}
        data={list.data}
        noun="scans"
        clear={isFiltered ? clear : null}
        empty={<Empty title="No scan yet">To add a saved page, open the Website tab of a prospect.</Empty>}
      >
        {(scans) => (
          <ol className={classes.rows} aria-label="Scans, newest first">
            {scans.map((scan) => (
              <ScanItem
                key={scan.id}
                scan={scan}
                control={<CancelScan scan={scan} />}
                about={
                  <Link
                    to="/prospects/$businessId"
                    params={{ businessId: scan.businessId }}
                    search={{ tab: 'website' }}
                  >
                    Open prospect
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
