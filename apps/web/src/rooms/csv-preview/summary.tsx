import { Alert } from '@mantine/core'
import type { CsvPreview } from '@prospect/api-client'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import classes from './csv-preview.module.css'
import { malformedWords, noteText, problemText } from './csv-settings.ts'
import { nothingIsChecked, summaryCounts } from './summary-counts.ts'

const SHOWN_MALFORMED = 5

/** Counts of the preview with their labels. */
export function Summary({ preview }: { preview: CsvPreview }) {
  const { totals, columns, fault, malformed } = preview
  return (
    <section aria-label="Summary" className={classes.summary}>
      {fault !== null && (
        <Alert
          color="red"
          variant="outline"
          title="Reading stopped before the end of the file"
          className={classes.alert}
        >
          {localSentence(fault.message)} The rows before this are shown and counted.
        </Alert>
      )}
      {totals.unknownRows > 0 && (
        <Alert color="red" variant="outline" title="Could not check do not contact" className={classes.alert}>
          {countWords(totals.unknownRows, 'row was', 'rows were')} not checked. Do not contact anyone from them until
          you have read the file again.
        </Alert>
      )}
      <dl className={classes.counts}>
        {summaryCounts(preview).map(([label, count]) => (
          <div key={label} data-zero={count === 0}>
            <dt>{label}</dt>
            <dd className="pp-figures">{count === null ? 'Not checked' : formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {nothingIsChecked(columns) && (
        <p className={classes.unchecked}>
          No column is an email address, phone number or web domain. Choose the columns below.
        </p>
      )}
      {totals.problems.length + totals.notes.length > 0 && (
        <ul className={classes.problems}>
          {totals.problems.map(({ code, cells }) => (
            <li key={code}>
              {problemText(code)}: {countWords(cells, 'cell', 'cells')}
            </li>
          ))}
          {totals.notes.map(({ code, cells }) => (
            <li key={code} data-note>
              {noteText(code)}: {countWords(cells, 'cell', 'cells')}
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
