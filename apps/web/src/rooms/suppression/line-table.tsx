import { Checkbox } from '@mantine/core'
import type { SuppressionBatchLine, SuppressionPreviewLine } from '@prospect/api-client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber, phoneText } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import classes from './suppression.module.css'
import { kindWords } from './suppression-words.ts'

/** Maximum of the number of prospects that a preview counts. */
export const MAX_COUNTED = 1_000

/** Maximum number of lines in the table, which renders each of them. */
const MAX_SHOWN = 1_000

const outcomeWords: Record<SuppressionPreviewLine['outcome'] | SuppressionBatchLine['outcome'], string> = {
  would_add: 'To add',
  stands_already: 'Already on the list',
  added: 'Added',
  stood_already: 'Already on the list. Request added',
  repeated: 'Repeated',
  refused: 'Refused',
  empty: 'Empty',
}

type Line = SuppressionPreviewLine | SuppressionBatchLine

/** The pasted lines with the value that each was read as. Refused lines come first, because a person must correct them. */
export function LineTable({ lines }: { lines: readonly Line[] }) {
  const [onlyRefused, setOnlyRefused] = useState(false)
  const filled = lines.filter(({ outcome }) => outcome !== 'empty')
  const refused = filled.filter(({ outcome }) => outcome === 'refused')
  const others = filled.filter(({ outcome }) => outcome !== 'refused')
  const canHide = refused.length > 0 && others.length > 0
  const wanted = [...refused, ...(canHide && onlyRefused ? [] : others)]
  const shown = wanted.slice(0, MAX_SHOWN)
  return (
    <>
      {canHide && (
        <Checkbox
          my="xs"
          label={`Show only the ${countWords(refused.length, 'refused line', 'refused lines')}`}
          checked={onlyRefused}
          onChange={(event) => setOnlyRefused(event.currentTarget.checked)}
        />
      )}
      <FixedTable look="stacked" aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Pasted</th>
            <th scope="col">Read as</th>
            <th scope="col">Outcome</th>
            <th scope="col">Records</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <LineRow key={line.line} line={line} />
          ))}
        </tbody>
      </FixedTable>
      {shown.length < wanted.length && (
        <p className="pp-quiet">
          {countWords(wanted.length - shown.length, 'more line is', 'more lines are')} not shown. The counts below
          include them.
        </p>
      )}
    </>
  )
}

function LineRow({ line }: { line: Line }) {
  const isRefused = line.outcome === 'refused'
  return (
    <tr className={isRefused ? classes.refused : undefined}>
      <td className={classes.number}>{formatNumber(line.line)}</td>
      <td className={classes.value}>
        <Name of={line.text} />
      </td>
      <td>
        {line.kind !== null && !isRefused && (
          <>
            {kindWords[line.kind]}
            <span className={classes.soft}>{phoneText(line.normalized ?? '')}</span>
          </>
        )}
        {line.ignored !== null && (
          <span className={classes.soft}>
            Ignored: <Name of={line.ignored} />
          </span>
        )}
      </td>
      <td>
        {isRefused && <IconAlertTriangle size={14} stroke={1.8} className={classes.alert} aria-hidden />}
        {'suppressionId' in line && line.suppressionId !== null ? (
          <Link to="/suppression/$suppressionId" params={{ suppressionId: line.suppressionId }}>
            {outcomeWords[line.outcome]}
          </Link>
        ) : (
          outcomeWords[line.outcome]
        )}
        {line.message !== null && <span className={classes.soft}>{line.message}</span>}
      </td>
      <td className={classes.number}>{recordsOf(line)}</td>
    </tr>
  )
}

function recordsOf(line: Line): string {
  const records = 'records' in line ? line.records : line.marked
  if (records === null) return ''
  return records >= MAX_COUNTED && 'records' in line ? `${formatNumber(MAX_COUNTED)} or more` : formatNumber(records)
}
