import { DateTime } from '../text/date-time.tsx'

/**
 * In the description of a field whose text comes from an unsaved draft, so that it is read out with the field: a notice that stands there
 * from the start is read to nobody. `draft` is what `useDraft` restored.
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
