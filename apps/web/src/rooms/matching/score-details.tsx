import type { CanonicalValues, MatchSuggestion } from '@prospect/api-client'
import { Fact, Facts } from '../../ui/layout/facts.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './compare.module.css'
import tables from './tables.module.css'

const rows: { label: string; of: (values: CanonicalValues) => string[] }[] = [
  { label: 'Names', of: ({ names }) => names },
  { label: 'Legal form', of: ({ legalForm }) => (legalForm === null ? [] : [legalForm.replaceAll('_', ' ')]) },
  { label: 'Registration number', of: ({ registrationNumber: number }) => (number === null ? [] : [number]) },
  { label: 'Phones', of: ({ phones }) => phones.map(phoneText) },
  { label: 'Emails', of: ({ emails }) => emails },
  { label: 'Domains', of: ({ domains }) => domains },
  { label: 'Address', of: ({ address }) => (address === null ? [] : [address]) },
  { label: 'Uncertain', of: ({ doubts }) => doubts },
]

/** Basis of the score: both records in normalized form, versions of the rules, and the word frequencies used. */
export function ScoreDetails({ suggestion }: { suggestion: MatchSuggestion }) {
  const { canonical, snapshot, normalizationVersion, algorithmVersion, businesses, createdAt, updatedAt } = suggestion
  return (
    <details className={classes.more}>
      <summary>Compared values and rule versions</summary>
      <FixedTable className={tables.canonical} aria-label="Compared values">
        <thead>
          <tr>
            <th scope="col">Compared as</th>
            {businesses.map(({ id, name }) => (
              <th scope="col" key={id}>
                <Name of={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ of }) => canonical.some((values) => of(values).length > 0))
            .map(({ label, of }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {canonical.map((values, at) => (
                  <td key={businesses[at]?.id}>
                    {of(values).length === 0 ? 'None' : of(values).map(nameText).join(', ')}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </FixedTable>
      <Facts className={tables.rules}>
        <Fact label="Rules for comparing values">{normalizationVersion}</Fact>
        <Fact label="Rules for the score">{algorithmVersion}</Fact>
        <Fact label="Words counted">
          {snapshot.records === 0 ? (
            'Not counted yet. The next full scan counts the words'
          ) : (
            <>
              <DateTime at={snapshot.at} as="dateTime" />, over {countWords(snapshot.records, 'record', 'records')}
            </>
          )}
          <code>{snapshot.id}</code>
        </Fact>
        <Fact label="Proposed">
          <DateTime at={createdAt} as="dateTime" />
          {updatedAt !== createdAt && (
            <>
              , updated <DateTime at={updatedAt} as="dateTime" />
            </>
          )}
        </Fact>
      </Facts>
    </details>
  )
}
