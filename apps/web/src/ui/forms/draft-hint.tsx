import { DateTime } from '../text/date-time.tsx'

/**
 * Hint that a field's text comes from an unsaved draft. It is part of the field's description, because screen readers do not announce a notice that
 * exists when the form opens. `draft` comes from `useDraft`.
 */
export function DraftHint({ draft }: { draft: { savedAt: string } | null }) {
  if (draft === null) return null
  return (
    <>
      {' '}
      Unsaved draft, <DateTime at={draft.savedAt} />.
    </>
  )
}
