import type { MergeCounts } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { FixedTable, useZeroRows } from '../../ui/lists/fixed-table.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { countKinds, countName } from './matching-words.ts'
import tables from './tables.module.css'

type Column = { key: string; heading: ReactNode; counts: MergeCounts }

/** Number of children of each kind, per record and for both together. */
export function CountsTable({
  apart,
  together,
}: {
  apart: Column[]
  together: Omit<Column, 'counts'> & { of: (kind: keyof MergeCounts) => number }
}) {
  const { rows, button } = useZeroRows(
    apart[0] === undefined ? [] : countKinds(apart[0].counts),
    (kind) => together.of(kind) === 0 && apart.every(({ counts }) => counts[kind] === 0),
  )
  return (
    <>
      <FixedTable className={tables.counts} aria-label="Contents of the records">
        <thead>
          <tr>
            <th scope="col">
              <span className="pp-visually-hidden">Entries</span>
            </th>
            {[...apart, together].map(({ key, heading }) => (
              <th scope="col" key={key}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((kind) => (
            <tr key={kind}>
              <th scope="row">{countName(kind)}</th>
              {apart.map(({ key, counts }) => (
                <td key={key}>{formatNumber(counts[kind])}</td>
              ))}
              <td>
                <b>{formatNumber(together.of(kind))}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </FixedTable>
      {button}
    </>
  )
}
