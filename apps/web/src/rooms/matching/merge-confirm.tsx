import { Text } from '@mantine/core'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { fieldName } from '../../ui/text/field-names.ts'
import { listWords } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './compare.module.css'
import { addedWords, areNone, valuesWords } from './matching-words.ts'
import { type MergeDraft, takenFromOther } from './merge-draft.ts'
import type { Pair } from './pair-changes.ts'

type Props = {
  pair: Pair
  draft: MergeDraft & { survivorId: string }
  isBusy: boolean
  error: unknown
  confirm: (survivorId: string) => void
  close: () => void
}

/** Once more, in words, what will be: nothing is merged without this. */
export function MergeConfirm({ pair: { suggestion, preview }, draft, isBusy, error, confirm, close }: Props) {
  const [a, b] = suggestion.businesses
  const [survivor, other] = draft.survivorId === a.id ? [a, b] : [b, a]
  const taken = takenFromOther(preview.fields, [a.id, b.id], draft)
  const counts = preview.sides.find(({ id }) => id === other.id)?.counts
  const takenOver = preview.sides.find(({ id }) => id === survivor.id)?.takenOver
  return (
    <ConfirmDialog
      title={`Merge into ${nameText(survivor.name)}?`}
      confirmLabel="Merge the two"
      isBusy={isBusy}
      error={error}
      onConfirm={() => confirm(survivor.id)}
      onClose={close}
    >
      <Text size="sm" component="ul" className={classes.recap} tabIndex={-1} data-autofocus>
        <li>
          <b>{nameText(survivor.name)}</b> goes on. <b>{nameText(other.name)}</b> becomes merged: it is kept and can be
          read, and is no longer worked.
        </li>
        <li>
          {taken.length === 0
            ? 'No value of the other record takes the place of one of the survivor.'
            : `From the other record: ${listWords(taken.map(({ field }) => fieldName(field)))}. What gives way is kept beside it.`}
        </li>
        {takenOver !== undefined && !areNone(takenOver) && (
          <li>The survivor takes over {valuesWords(takenOver)} that it did not have.</li>
        )}
        {counts !== undefined && <li>The survivor will also show: {addedWords(counts)}.</li>}
        <li>{preview.doNotContact}</li>
        <li>A snapshot of both is written first; with it the merge can be undone.</li>
      </Text>
    </ConfirmDialog>
  )
}
