import { notifications } from '@mantine/notifications'
import type { Business } from '@prospect/api-client'
import { editBusiness } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { readOnlyWhileSaving } from '../../../ui/forms/read-only-while-saving.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { useIsMounted } from '../../../ui/forms/use-is-mounted.ts'
import { recordKey, refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { businessQuery } from '../../../ui/prospects/record-queries.ts'
import type { OpenProps } from '../../../ui/rooms/record-parts.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { type EditDraft, type EditStart, parseEditDraft } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { DuplicateHint } from './duplicate-hint.tsx'
import { ProspectFields } from './prospect-fields.tsx'
import { isUnchanged, type ProspectFormValues, patchBody, valuesFrom } from './prospect-form.ts'
import { type Changers, changersSince } from './record.queries.ts'
import classes from './record-form.module.css'
import { recordFormKeys, SaveBar } from './save-bar.tsx'
import { StaleChoices } from './stale-choices.tsx'
import { useProspectForm } from './use-prospect-form.ts'

const startFrom = (business: Business): EditStart => ({
  version: business.version,
  base: valuesFrom(business),
  standing: {
    pipelineState: business.pipelineState,
    isBlocked: business.doNotContact !== null,
    updatedAt: business.updatedAt,
  },
})

/** Edits a record from the version it was opened at. When it changed meanwhile, both versions are shown field by field. */
export function EditRecord({ business, close, reopen }: OpenProps) {
  const draft = useDraft<EditDraft>(`edit-business-${business.id}`, parseEditDraft, {
    gone: close,
    returned: (back) => {
      setStart(back)
      form.setValues(back.values)
      keepDraft(back, back.values)
    },
  })
  // By a save whose answer was lost: then nothing of it is unsaved.
  const [wasSaved] = useState(
    () => draft.restored !== null && isUnchanged(valuesFrom(business), draft.restored.value.values),
  )
  const left = wasSaved ? null : draft.restored
  const [start, setStart] = useState<EditStart>(() => left?.value ?? startFrom(business))
  const [stored, setStored] = useState<{ business: Business; by: Changers } | null>(null)
  const queryClient = useQueryClient()
  const isHere = useIsMounted()
  const { form, formRef, failure, showFailure, clearFailure, isComplete, focusFirst } = useProspectForm(
    left?.value.values ?? start.base,
    (values) => keepDraft(start, values),
  )

  function keepDraft({ version, base, standing }: EditStart, values: ProspectFormValues) {
    if (isUnchanged(base, values)) draft.clear()
    else draft.keep({ version, base, standing, values })
  }

  const save = useMutation({
    meta: { notSaved: nameText(business.name) },
    mutationFn: ({ from, values }: { from: EditStart; values: ProspectFormValues }) =>
      dataOf(
        editBusiness({
          path: { businessId: business.id },
          body: patchBody(from.base, values),
          ...ifMatch(from.version),
        }),
      ),
    onMutate: clearFailure,
    onSuccess: (saved) => {
      draft.clear()
      queryClient.setQueryData(recordKey(business.id), saved)
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `${nameText(saved.name)} is saved.` })
      if (isHere()) close()
    },
    onError: async (error) => {
      if (!isHere()) return
      if (!isProblem(error, 'version_conflict')) {
        // Merged or made inactive meanwhile: the band of the record says so, with the way to the one that goes on.
        if (isProblem(error, 'business_not_active')) void refreshRecord(queryClient, business.id)
        return showFailure(error)
      }
      try {
        const [theirs, by] = await Promise.all([
          queryClient.fetchQuery({ ...businessQuery(business.id), staleTime: 0 }),
          changersSince(business.id, start.standing?.updatedAt ?? null),
        ])
        setStored({ business: theirs, by })
      } catch {
        // Refused it was: only the other version could not be read.
        showFailure(error)
      }
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending || !isComplete()) return
    const values = form.getValues()
    if (isUnchanged(start.base, values)) return close()
    save.mutate({ from: start, values })
  }

  /** On top of the stored version from here on: the next save is measured against what the person has now seen. */
  const goOn = (theirs: Business, merged: ProspectFormValues) => {
    const next = startFrom(theirs)
    setStart(next)
    form.setValues(merged)
    keepDraft(next, merged)
    setStored(null)
    return next
  }

  const cancel = () => {
    // A save in flight clears the draft when it succeeds and keeps it when it fails.
    if (!save.isPending) draft.discard(reopen)
    close()
  }

  if (stored !== null) {
    return (
      <StaleChoices
        start={start}
        mine={form.values}
        stored={stored.business}
        by={stored.by}
        isSaving={save.isPending}
        save={(merged) => save.mutate({ from: goOn(stored.business, merged), values: merged })}
        backToForm={(merged) => goOn(stored.business, merged)}
      />
    )
  }

  return (
    <form
      ref={formRef}
      onSubmit={submit}
      onKeyDown={recordFormKeys}
      noValidate
      className={classes.form}
      aria-label={`Edit ${nameText(business.name)}`}
    >
      <div className={classes.body}>
        {left !== null && (
          <DraftNotice
            savedAt={left.savedAt}
            discard={() => {
              const fresh = startFrom(business)
              setStart(fresh)
              form.setValues(fresh.base)
              clearFailure()
              draft.clear()
              focusFirst()
            }}
          />
        )}
        <DuplicateHint values={form.values} except={business.id} />
        <ProspectFields
          form={readOnlyWhileSaving(form, save.isPending)}
          assignee={business.assignee}
          restoredAt={left?.savedAt ?? null}
        />
      </div>
      <SaveBar label="Save" isSaving={save.isPending} failure={failure} cancel={cancel} />
    </form>
  )
}
