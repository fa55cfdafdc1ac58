import { useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import type { EditStart } from '../record/draft.ts'
import type { ProspectFormValues } from '../record/prospect-form.ts'
import { StaleChoices } from '../record/stale-choices.tsx'

type Props = Pick<Parameters<typeof StaleChoices>[0], 'mine' | 'stored' | 'by'> & {
  start: EditStart
  save: (merged: ProspectFormValues) => Promise<void>
  close: () => void
}

/** An edit in place of a field that someone else changed: both versions, field by field. */
export function ConflictDialog({ start, mine, stored, by, save, close }: Props) {
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  return (
    <Dialog title={nameText(stored.name)} onClose={close} size="lg" closeOnClickOutside={false}>
      <StaleChoices
        start={start}
        mine={mine}
        stored={stored}
        by={by}
        isSaving={isSaving}
        backLabel="Keep their version"
        save={(merged) => {
          setSaving(true)
          save(merged).then(close, (error: unknown) => {
            setSaving(false)
            setFailure(sentenceOf(error))
          })
        }}
        backToForm={close}
      />
      <p role="alert">{failure !== null && `Not saved. ${failure}`}</p>
    </Dialog>
  )
}
