import { Alert } from '@mantine/core'
import type { CsvPreview } from '@prospect/api-client'
import { formatNumber } from '../../ui/format.ts'
import { malformedWords, noteText, problemText } from './csv-settings.ts'
import classes from './sources.module.css'

const SHOWN_MALFORMED = 5

/** What was counted, each number with what it counts. */
export function Summary({ preview: { totals, fault, malformed } }: { preview: CsvPreview }) {
  const counts: [string, number][] = [
    ['rows read', totals.rows],
    ['with problems', totals.rowsWithProblems],
    ['that share something with another row', totals.duplicateRows],
    ['that known prospects hold', totals.matchingRows],
    ['do not contact', totals.doNotContactRows],
    ['left out: no reading', totals.malformedRows],
  ]
  return (
    <section aria-label="Summary" className={classes.summary}>
      {fault !== null && (
        <Alert color="red" variant="outline" title="Reading ended before the end of the file" className={classes.alert}>
          {fault.message} What was read before it is shown and counted.
        </Alert>
      )}
      {totals.unknownRows > 0 && (
        <Alert color="red" variant="outline" title="Do not contact could not be checked" className={classes.alert}>
          {formatNumber(totals.unknownRows)} {totals.unknownRows === 1 ? 'row is' : 'rows are'} not known to be free to
          contact. Contact nobody from them before the file was read again.
        </Alert>
      )}
      <dl className={classes.counts}>
        {counts.map(([label, count]) => (
          <div key={label} data-zero={count === 0}>
            <dd className="pp-figures">{formatNumber(count)}</dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      {totals.problems.length + totals.notes.length > 0 && (
        <ul className={classes.problems}>
          {totals.problems.map(({ code, cells }) => (
            <li key={code}>
              {problemText(code)}: {formatNumber(cells)} {cells === 1 ? 'cell' : 'cells'}
            </li>
          ))}
          {totals.notes.map(({ code, cells }) => (
            <li key={code} data-note>
              {noteText(code)}: {formatNumber(cells)} {cells === 1 ? 'cell' : 'cells'}
            </li>
          ))}
        </ul>
      )}
      {malformed.length > 0 && (
        <ul className={classes.malformed}>
          {malformed.slice(0, SHOWN_MALFORMED).map(({ line, column, code }) => (
            <li key={line}>
              Line {formatNumber(line)}, column {formatNumber(column)}: {malformedWords[code]}.
            </li>
          ))}
          {totals.malformedRows > SHOWN_MALFORMED && (
            <li>And {formatNumber(totals.malformedRows - SHOWN_MALFORMED)} more.</li>
          )}
        </ul>
      )}
    </section>
  )
}
