import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { mergeSuggestion } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { isProblem } from '../../ui/api/api-problem.ts'
import { withKey } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { refreshRecords } from '../../ui/prospects/record-keys.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { listWords } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './compare.module.css'
import { addedWords, areNone, valuesWords } from './matching-words.ts'
import { choicesToSend, type MergeDraft, takenFromOther } from './merge-draft.ts'
import type { Pair } from './pair-changes.ts'

type Props = {
  pair: Pair
  draft: MergeDraft & { survivorId: string }
  merged: (mergeId: string, isMounted: boolean) => Promise<void>
  /** Called when the pair or its records changed: the user must review the new state. */
  refused: (error: unknown) => void
  close: () => void
}

/** Error codes after which the user must review the pair again. Other errors are shown in the dialog. */
const reviewAgainCodes = ['pair_changed', 'suggestion_not_open', 'business_not_active', 'conflicts_unresolved'] as const

/** Confirmation that summarises the merge. Every merge requires it. */
export function MergeConfirm({ pair: { suggestion, preview }, draft, merged, refused, close }: Props) {
  const queryClient = useQueryClient()
  const [a, b] = suggestion.businesses
  const [survivor, other] = draft.survivorId === a.id ? [a, b] : [b, a]
  const fromOther = takenFromOther(preview.fields, [a.id, b.id], draft)
  const counts = preview.sides.find(({ id }) => id === other.id)?.counts
  const takenOver = preview.sides.find(({ id }) => id === survivor.id)?.takenOver
  const body = {
    survivorId: survivor.id,
    fields: choicesToSend(preview.fields, draft),
    fingerprint: suggestion.fingerprint,
    reason: draft.reason,
  }
  return (
    <FormDialog
      title={`Merge into ${nameText(survivor.name)}?`}
      submitLabel="Merge"
      what="Merge"
      isAction
      initial={{}}
      payloadOf={() => body}
      send={(_values, { key }) =>
        dataOf(mergeSuggestion({ path: { suggestionId: suggestion.id }, body, ...withKey(key) }))
      }
      onSaved={async ({ id, survivor: kept }, _values, { isMounted }) => {
        notifications.show({ message: `Merged into ${nameText(kept.name)}. You can undo it.` })
        await merged(id, isMounted())
        return refreshRecords(queryClient)
      }}
      explain={(error) => {
        if (!isProblem(error, ...reviewAgainCodes)) return undefined
        refused(error)
        return 'handled'
      }}
      close={close}
    >
      {() => (
        <Text size="sm" component="ul" className={classes.recap} tabIndex={-1} data-autofocus>
          <li>
            <b>{nameText(survivor.name)}</b> is kept. <b>{nameText(other.name)}</b> is merged into this record. You can
            still read the merged record, but nobody works on it any more.
          </li>
          <li>
            {fromOther.length === 0
              ? `Where the records differ, the values of ${nameText(survivor.name)} are used.`
              : `From the other record: ${listWords(fromOther.map(({ field }) => fieldName(field)))}. The replaced values stay visible in the history.`}
          </li>
          {takenOver !== undefined && !areNone(takenOver) && (
            <li>Added to the kept record: {valuesWords(takenOver)}.</li>
          )}
          {counts !== undefined && <li>The kept record also shows {addedWords(counts)}.</li>}
          <li>{preview.doNotContact}</li>
          <li>A copy of both records is stored first, so you can undo the merge.</li>
        </Text>
      )}
    </FormDialog>
  )
}
