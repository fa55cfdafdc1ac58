import type { MergeSummary } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRowKeys } from '../../ui/actions/use-row-keys.ts'
import { useCan } from '../../ui/api/session.ts'
import { Select } from '../../ui/fields/select.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { ListBody } from '../../ui/lists/list-body.tsx'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import { GivenReason } from '../../ui/text/given-reason.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './matching.module.css'
import { mergesQuery } from './matching.queries.ts'
import { addedWords } from './matching-words.ts'
import { MergeAttempts } from './merge-attempts.tsx'
import { type MergesSearch, parseMergesSearch } from './merges-search.ts'
import pairs from './pairs.module.css'

const standings = { merged: 'Merged', reversed: 'Undone' } as const

/** Every merge with its survivor, and whether it was undone. */
export function MergesScreen() {
  if (!useCan('matching.read')) return <NoPermission isPage what="merges" />
  return <Merges />
}

function Merges() {
  const search = useSearch({ from: '/desk/duplicates/merges', select: parseMergesSearch, structuralSharing: true })
  const navigate = useNavigate({ from: '/duplicates/merges' })
  const list = useInfiniteQuery(mergesQuery(search))
  const set = (next: MergesSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  // Back restores what was cleared.
  const clear = () => void navigate({ search: {}, resetScroll: false })
  return (
    <Page
      title="History of merges"
      tab="Merges"
      lead="Which records were made one, by whom and why. Each can be undone from its snapshot."
      back={<BackLink to="/duplicates">Duplicates</BackLink>}
    >
      <search className={classes.filters}>
        <Select
          label="Standing"
          placeholder="Any"
          size="xs"
          clearable
          data={Object.entries(standings).map(([value, label]) => ({ value, label }))}
          value={search.status ?? null}
          onChange={(status) => set(parseMergesSearch({ ...search, status }))}
        />
      </search>
      <ListBody
        list={list}
        data={list.data}
        noun="merges"
        clear={Object.keys(search).length > 0 ? clear : null}
        empty={<Empty title="Nothing was merged yet">Merges are made from a pair of the suggested duplicates.</Empty>}
      >
        {(items) => <MergeTable items={items} />}
      </ListBody>
      <MergeAttempts />
    </Page>
  )
}

function MergeTable({ items }: { items: MergeSummary[] }) {
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table, 'merge', 'Merges')
  return (
    <table ref={table} className={pairs.table} aria-label="Merges, newest first">
      <thead>
        <tr>
          <th scope="col">Merge</th>
          <th scope="col">Standing</th>
          <th scope="col">Brought along</th>
          <th scope="col">Reason</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, survivor, loser, status, reason, mergedAt, mergedBy, readBack, reversal }) => (
          <tr key={id}>
            <td className={pairs.pair}>
              <Link to="/duplicates/merges/$mergeId" params={{ mergeId: id }}>
                <span>
                  <ProspectName {...loser} /> into{' '}
                  <span className={pairs.candidateName}>
                    <ProspectName {...survivor} />
                  </span>
                </span>
              </Link>
            </td>
            <td>
              {standings[status]}
              {reversal !== null && (
                <span className={pairs.soft}>
                  <DateTime at={reversal.at} as="date" /> by <Name of={reversal.by.name} />
                </span>
              )}
            </td>
            <td>{addedWords(readBack.loser)}</td>
            <td className={pairs.reason}>
              <GivenReason of={reason} />
            </td>
            <td className={pairs.when}>
              <DateTime at={mergedAt} as="date" />
              <span className={pairs.soft}>
                by <Name of={mergedBy.name} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
