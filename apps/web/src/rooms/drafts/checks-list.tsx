import type { DraftCheck } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { checkNames, resultWords } from './draft-words.ts'
import classes from './drafts.module.css'

const icons = { pass: IconCheck, fail: IconX, unknown: IconAlertTriangle, not_applicable: IconMinus } as const

type Props = {
  checks: readonly DraftCheck[]
  /** Moves the focus to the field that a check is about; undefined where there are no fields. */
  goTo?: ((path: string) => void) | undefined
}

/** Every check with its result as a word and an icon, what it found, and what to do. */
export function ChecksList({ checks, goTo }: Props) {
  return (
    <ul className={classes.rows} aria-label="Checks">
      {checks.map((check) => (
        <li key={check.key}>
          <Result check={check} /> <b>{checkNames[check.key]}</b>: {check.message}
          {check.action !== null && ` ${check.action}`}
          {goTo !== undefined && check.path !== null && fieldOf(check.path) !== null && (
            <>
              {' '}
              <a href={`#draft-${fieldOf(check.path)}`} onClick={() => goTo(fieldOf(check.path ?? '') ?? 'text')}>
                Go to it
              </a>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function Result({ check: { result } }: { check: DraftCheck }) {
  const Icon = icons[result]
  return (
    <span className={classes.check} data-result={result}>
      <Icon size={14} stroke={2} aria-hidden />
      {resultWords[result]}
    </span>
  )
}

const fields = ['recipient', 'subject', 'text', 'noCitationReason'] as const

/** The field of the editor that a check is about; null: it is about something outside. */
function fieldOf(path: string): string | null {
  if (path.startsWith('citations')) return 'text'
  return fields.find((field) => field === path) ?? null
}
