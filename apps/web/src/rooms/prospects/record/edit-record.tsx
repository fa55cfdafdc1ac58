import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { editBusiness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { SaveForm } from '../../../ui/forms/save-form.tsx'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { useSaveForm } from '../../../ui/forms/use-save-form.ts'
import { LoadingLines } from '../../../ui/layout/states.tsx'
import { isUnderWay, pendingMoves, settleMove } from '../../../ui/prospects/pending-moves.ts'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../../ui/prospects/record-queries.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { type EditDraft, type EditStart, parseEditDraft } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { DuplicateHint } from './duplicate-hint.tsx'
import { leftEmptyWords } from './left-empty-words.ts'
import { ProspectFields } from './prospect-fields.tsx'
import { inputOf, isUnchanged, missingIn, type ProspectFormValues, patchBody, valuesFrom } from './prospect-form.ts'
import { type Changers, changersSince } from './record.queries.ts'
import classes from './record-form.module.css'
import { focusName, recordFormKeys, SaveBar } from './save-bar.tsx'
import { StaleChoices } from './stale-choices.tsx'

const startFrom = (business: Business): EditStart => ({
  version: business.version,
  base: valuesFrom(business),
  standing: {
    pipelineState: business.pipelineState,
    isBlocked: business.doNotContact !== null,
    updatedAt: business.updatedAt,
  },
})

/** Form that edits a record. It opens only when no move of the record is pending, because the move changes the version of the record. */
export function EditRecord(props: OpenProps) {
  const { id } = props.business
  const [settled, setSettled] = useState(() =>
    isUnderWay(pendingMoves().find((move) => move.businessId === id)) ? '' : id,
  )
  useEffect(() => {
    void settleMove(id).then(() => setSettled(id))
  }, [id])
  return settled === id ? <EditForm {...props} /> : <LoadingLines lines={10} label="Saving the move" />
}

/** Form for one version of a record. If the record changed in between, both versions are shown field by field. */
function EditForm({ business, close, reopen }: OpenProps) {
  const draft = useDraft<EditDraft>(`edit-business-${business.id}`, parseEditDraft, {
    gone: close,
    returned: (back) => {
      start.current = back
      save.form.setValues(back.values)
    },
  })
  // If the draft equals the record, it was saved and only the response was lost.
  const [wasSaved] = useState(
    () => draft.restored !== null && isUnchanged(valuesFrom(business), draft.restored.value.values),
  )
  const restoredDraft = wasSaved ? null : draft.restored
  const start = useRef<EditStart>(restoredDraft?.value ?? startFrom(business))
  const [initial] = useState(restoredDraft?.value.values ?? start.current.base)
  const [stored, setStored] = useState<{ business: Business; by: Changers } | null>(null)
  const queryClient = useQueryClient()
  const save = useSaveForm({
    initial,
    validate: missingIn,
    onChange: (values) => {
      const { version, base, standing } = start.current
      if (isUnchanged(base, values)) draft.clear()
      else draft.keep({ version, base, standing, values })
    },
    send: async (values) => {
      const { base, version } = start.current
      if (isUnchanged(base, values)) return null
      return dataOf(
        editBusiness({ path: { businessId: business.id }, body: patchBody(base, values), ...ifMatch(version) }),
      )
    },
    onSaved: (saved, _values, { isMounted }) => {
      if (saved !== null) {
        draft.clear()
        queryClient.setQueryData(recordKey(business.id), saved)
        void refreshRecord(queryClient, business.id)
        notifications.show({ message: `${nameText(saved.name)} saved${leftEmptyWords(saved)}` })
      }
      if (isMounted()) close()
    },
    explain: async (error) => {
      // The record was merged or deactivated. Read it again, so that its page shows this with a link to the survivor.
      if (isProblem(error, 'business_not_active')) void refreshRecord(queryClient, business.id)
      if (!isProblem(error, 'version_conflict')) return undefined
      try {
        const [theirs, by] = await Promise.all([
          queryClient.fetchQuery({ ...businessQuery(business.id), staleTime: 0 }),
          changersSince(business.id, start.current.standing?.updatedAt ?? null),
        ])
        setStored({ business: theirs, by })
        return 'handled'
      } catch {
        // The save was refused and the other version could not be read, so the form shows the error of the save.
        return undefined
      }
    },
    fieldOf: inputOf,
    what: nameText(business.name),
  })
  const { form, values, isSaving } = save

  /** Uses the stored version as the new base of the person's changes. */
  const rebase = (theirs: Business, merged: ProspectFormValues) => {
    start.current = startFrom(theirs)
    form.setValues(merged)
    setStored(null)
  }

  const cancel = () => {
    // During a save only close the form: a success clears the draft, and a failure keeps it.
    if (!isSaving) draft.discard(reopen)
    close()
  }

  if (stored !== null) {
    return (
      <StaleChoices
        start={start.current}
        mine={values}
        stored={stored.business}
        by={stored.by}
        isSaving={isSaving}
        save={(merged) => {
          rebase(stored.business, merged)
          save.submit()
        }}
        backToForm={(merged) => rebase(stored.business, merged)}
      />
    )
  }

  return (
    <SaveForm
      save={save}
      onKeyDown={recordFormKeys}
      className={classes.form}
      aria-label={`Edit ${nameText(business.name)}`}
      failure={null}
      actions={<SaveBar label="Save" isSaving={isSaving} failure={save.failure} cancel={cancel} />}
    >
      <div className={classes.body}>
        {restoredDraft !== null && (
          <DraftNotice
            savedAt={restoredDraft.savedAt}
            discard={() => {
              start.current = startFrom(business)
              form.setValues(start.current.base)
              save.clearRefusal()
              draft.clear()
              focusName(save)
            }}
          />
        )}
        <DuplicateHint values={values} except={business.id} />
        <ProspectFields
          form={form}
          assignee={business.assignee}
          restoredAt={restoredDraft?.savedAt ?? null}
          isNew={false}
        />
      </div>
    </SaveForm>
  )
}
