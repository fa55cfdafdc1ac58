import { useEffect, useState } from 'react'
import { DateTime } from '../text/date-time.tsx'
import classes from './save-form.module.css'

type Props = { draft: { savedAt: string } | null }

/**
 * Hint that a field's text comes from an unsaved draft, as part of the field's description, so that screen readers read it with the field. `draft`
 * comes from `useDraft`. A form without it shows `DraftNote`.
 */
export function DraftHint({ draft }: Props) {
  if (draft === null) return null
  return (
    <span data-draft-hint>
      {' '}
      Unsaved draft from <DateTime at={draft.savedAt} />.
    </span>
  )
}

/**
 * Note at the start of every form that restored a draft, unless a field of the form has a `DraftHint`. Its text is added after the form was
 * rendered, because screen readers do not announce a text that is there from the beginning.
 */
export function DraftNote({ draft }: Props) {
  const [isShown, show] = useState(false)
  useEffect(() => show(true), [])
  if (draft === null) return null
  return (
    <p className={classes.note} role="status">
      {isShown && (
        <>
          Unsaved draft from <DateTime at={draft.savedAt} />. Nothing is saved yet.
        </>
      )}
    </p>
  )
}
