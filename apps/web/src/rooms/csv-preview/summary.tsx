import { Alert, Button } from '@mantine/core'
import type { CsvPreview } from '@prospect/api-client'
import { useState } from 'react'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './csv-preview.module.css'
import { malformedWords, noteText, problemText } from './csv-settings.ts'
import { nothingIsChecked, summaryCounts } from './summary-counts.ts'

const SHOWN_MALFORMED = 5

type Props = { preview: CsvPreview; isBusy: boolean; readQuotesAsText: () => void }

/** Counts of the preview with their labels. */
export function Summary({ preview, isBusy, readQuotesAsText }: Props) {
  const { totals, columns, fault, doubts } = preview
  return (
    <section aria-label="Summary" className={classes.summary}>
      {fault !== null && (
        <Alert
          color="red"
          variant="outline"
          title="Reading stopped before the end of the file"
          className={classes.alert}
        >
          {localSentence(fault.message)} The rows before this line are shown and counted.
        </Alert>
      )}
      {totals.unknownRows > 0 && (
        <Alert color="red" variant="outline" title="Could not check do not contact" className={classes.alert}>
          {countWords(totals.unknownRows, 'row was', 'rows were')} not checked. Do not contact anyone from these rows
          until you have read the file again.
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
          No column contains email addresses, phone numbers or web domains. Choose the columns below.
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
      <Malformed preview={preview} />
      {doubts.quote !== null && (
        <Button variant="default" size="xs" mt="xs" loading={isBusy} onClick={readQuotesAsText}>
          Read quotes as text
        </Button>
      )}
    </section>
  )
}

/** The first lines that were not read, with their text, and a control that shows further ones. */
function Malformed({ preview: { malformed, totals } }: Pick<Props, 'preview'>) {
  const [isWhole, setIsWhole] = useState(false)
  if (malformed.length === 0) return null
  const shown = isWhole ? malformed : malformed.slice(0, SHOWN_MALFORMED)
  const more = totals.malformedRows - shown.length
  return (
    <>
      <ul className={classes.malformed} aria-label="Lines that were not read">
        {shown.map(({ line, column, code, text, isCut, doNotContact }) => (
          <li key={line}>
            Line {formatNumber(line)}, column {formatNumber(column)}: {malformedWords[code]}.
            <span className={classes.line}>
              {nameText(text)}
              {isCut && '…'}
            </span>
            {doNotContact === true && <DoNotContactMark />}
            {doNotContact === null && <span className={classes.problem}>Do not contact: not checked</span>}
          </li>
        ))}
        {more > 0 && <li>And {formatNumber(more)} more.</li>}
      </ul>
      {!isWhole && malformed.length > SHOWN_MALFORMED && (
        <Button variant="subtle" size="compact-xs" onClick={() => setIsWhole(true)}>
          Show {countWords(malformed.length, 'unreadable line', 'unreadable lines')}
        </Button>
      )}
    </>
  )
}
