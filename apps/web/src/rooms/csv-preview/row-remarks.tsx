import type { CsvRow } from '@prospect/api-client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { Name } from '../../ui/text/name.tsx'
import classes from './csv-preview.module.css'
import { noteInRow, problemText, rowRemarks } from './csv-settings.ts'

/** Prospects with a value of the row, each once. */
export const knownProspects = ({ matches }: CsvRow): CsvRow['matches'] => [
  ...new Map(matches.map((match) => [match.businessId, match])).values(),
]

/** True if the row shares only a web domain with the prospect, which several businesses can have. */
const isByDomainOnly = ({ matches }: CsvRow, businessId: string) =>
  matches.every((match) => match.businessId !== businessId || match.kind === 'domain')

/** Remarks about a row as a whole: do not contact, rows with the same values, and known prospects. */
export function RowRemarks({ row, target }: { row: CsvRow; target?: '_blank' }) {
  return (
    <>
      {row.doNotContact === true && <DoNotContactMark />}
      {row.doNotContact === null && (
        <p className={classes.problem}>
          Do not contact: {row.said === 'unclear' ? 'unclear in the file' : 'not checked'}
        </p>
      )}
      {rowRemarks(row).map((remark) => (
        <p key={remark} className={classes.remark}>
          {remark}
        </p>
      ))}
      {knownProspects(row).map(({ businessId, name }) => (
        <p key={businessId} className={classes.remark}>
          {isByDomainOnly(row, businessId) ? 'Possibly known, by web domain only:' : 'Known:'}{' '}
          <Link to="/prospects/$businessId" params={{ businessId }} {...(target && { target })}>
            <Name of={name} />
          </Link>
        </p>
      ))}
    </>
  )
}

/** Remarks about one cell: problems, a match with the do-not-contact list, and notes. */
export function CellRemarks({ row, column }: { row: CsvRow; column: number }) {
  const inColumn = <Found extends { column: number }>(found: Found[]) => found.filter((one) => one.column === column)
  return (
    <>
      {inColumn(row.problems).map(({ code }) => (
        <span key={code} className={classes.problem}>
          <IconAlertTriangle size={13} stroke={1.8} aria-hidden />
          {problemText(code)}
        </span>
      ))}
      {row.suppressed.includes(column) && <span className={classes.problem}>On the do-not-contact list</span>}
      {inColumn(row.notes).map((note) => (
        <span key={note.code} className={classes.note}>
          {noteInRow(note)}
        </span>
      ))}
    </>
  )
}
