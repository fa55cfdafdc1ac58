import type { MatchSuggestion, MergePreview } from '@prospect/api-client'
import { IconBan, IconEqualNot } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { ProspectName } from '../../ui/prospects/prospect-name.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './compare.module.css'
import { CountsTable } from './counts-table.tsx'
import { areNone, valuesWords } from './matching-words.ts'

/** Conflicts between the two records, with links to their fields. */
export function Conflicts({ suggestion, isDeciding }: { suggestion: MatchSuggestion; isDeciding: boolean }) {
  const { conflicts } = suggestion
  if (conflicts.length === 0) return null
  return (
    <section aria-labelledby="pair-conflicts">
      <h2 id="pair-conflicts" className={classes.part}>
        {countWords(conflicts.length, 'conflict', 'conflicts')}
      </h2>
      <ul className={classes.conflicts}>
        {conflicts.map(({ field, text }) => (
          <li key={field}>
            {field === 'doNotContact' ? <IconBan size={15} aria-hidden /> : <IconEqualNot size={15} aria-hidden />}
            <span>
              <Name of={text} />
              {isDeciding && field === 'pipelineState' && (
                <>
                  . <a href="#field-pipelineState">Choose one</a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Section with the counts of both records and the counts that the survivor will have. */
export function MovedRecords({ preview: { sides }, names }: { preview: MergePreview; names: [string, string] }) {
  const [a, b] = sides
  return (
    <section aria-labelledby="pair-moves">
      <h2 id="pair-moves" className={classes.part}>
        After the merge
      </h2>
      <p className={classes.soft}>The record that you keep shows the entries of both records. No entry is changed.</p>
      <CountsTable
        apart={sides.map(({ id, counts }, at) => ({
          key: id,
          counts,
          heading: (
            <>
              <span className={classes.number}>{at + 1}</span>
              <span className="pp-visually-hidden">{nameText(names[at] ?? '')}</span>
            </>
          ),
        }))}
        together={{ key: 'together', heading: 'Together', of: (kind) => a.counts[kind] + b.counts[kind] }}
      />
      {sides.map(({ id, merged }, at) =>
        merged.length === 0 ? null : (
          <p key={id} className={classes.soft}>
            Record {at + 1} already includes{' '}
            {merged.map((one, index) => (
              <Fragment key={one.id}>
                {index > 0 && ', '}
                <Link to="/prospects/$businessId" params={{ businessId: one.id }}>
                  <ProspectName {...one} />
                </Link>
              </Fragment>
            ))}
            .
          </p>
        ),
      )}
      {sides.map(({ id, leftOut }, at) =>
        areNone(leftOut) ? null : (
          <p key={id} className={classes.soft}>
            If you keep record {at + 1}, {valuesWords(leftOut)} of the other record exceed the limit of a record. You
            can still read them on the merged record.
          </p>
        ),
      )}
    </section>
  )
}

export function DoNotContactOutcome({ text }: { text: string }) {
  return (
    <section aria-labelledby="pair-blocked">
      <h2 id="pair-blocked" className={classes.part}>
        Do not contact
      </h2>
      <p className={classes.outcome}>
        <IconBan size={16} aria-hidden />
        {text}
      </p>
    </section>
  )
}
