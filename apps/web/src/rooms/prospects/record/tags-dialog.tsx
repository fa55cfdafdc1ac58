import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { FieldEditor } from '../cells/field-editor.tsx'

/** The tags of a prospect, from the record or a list. Enter in the empty field saves. */
export function TagsDialog({ business, close }: OpenProps) {
  return (
    <Dialog title={`Tags of ${nameText(business.name)}`} onClose={close}>
      <FieldEditor business={business} field="tags" close={close} />
      <p className="pp-quiet">Enter adds a tag; Enter again saves.</p>
    </Dialog>
  )
}
