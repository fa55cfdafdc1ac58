import type { RetentionTerm } from '@prospect/api-client'
import { listRetentionOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import classes from './retention.module.css'

/** What the workspace stores, each with its retention period. Nothing can be changed here. */
export function RetentionScreen() {
  const retention = useQuery(listRetentionOptions())
  return (
    <Page
      title="Retention"
      lead="The data that this workspace stores, when the data is deleted, and what remains afterwards. A changed period applies to new data only."
    >
      {retention.data === undefined && <NotLoaded read={retention} what="the periods" lines={12} />}
      {retention.data && (
        <>
          <FixedTable look="stacked" className={classes.table} aria-label="Retention periods">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">How long</th>
                <th scope="col">From when</th>
                <th scope="col">At the end</th>
              </tr>
            </thead>
            <tbody>
              {retention.data.items.map(({ key, data, term, begins, ends }) => (
                <tr key={key}>
                  <td>{localSentence(data)}</td>
                  <td>{termWords(term)}</td>
                  <td>{localSentence(begins)}</td>
                  <td>{localSentence(ends)}</td>
                </tr>
              ))}
            </tbody>
          </FixedTable>
          <p className={classes.asOf}>
            As of <DateTime at={retention.data.asOf} />.
          </p>
        </>
      )}
    </Page>
  )
}

const units = {
  minute: ['minute', 'minutes'],
  hour: ['hour', 'hours'],
  day: ['day', 'days'],
} as const satisfies Record<NonNullable<RetentionTerm['unit']>, readonly [string, string]>

const words = {
  per_item: 'Set for each entry',
  erasure: 'Until the prospect is erased',
  removal: 'Until a person removes it',
  always: 'Always',
  not_stored: 'Not stored',
} as const satisfies Record<Exclude<RetentionTerm['kind'], 'time'>, string>

function termWords({ kind, value, unit }: RetentionTerm): string {
  if (kind !== 'time') return words[kind]
  const [one, many] = units[unit ?? 'day']
  return countWords(value ?? 0, one, many)
}
