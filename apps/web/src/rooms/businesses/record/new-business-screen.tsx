import { Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useIdempotencyKey } from '../../../ui/idempotency.ts'
import { nameText } from '../../../ui/name-text.ts'
import { refreshRecord } from '../../../ui/record-keys.ts'
import { useCan } from '../../../ui/session.ts'
import { NoPermission } from '../../../ui/states.tsx'
import { useDraft } from '../../../ui/use-draft.ts'
import { BusinessFields } from './business-fields.tsx'
import { type BusinessFormValues, createBody, emptyValues, isUnchanged } from './business-form.ts'
import { parseValues } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { DuplicateHint } from './duplicate-hint.tsx'
import { createBusiness } from './record.queries.ts'
import classes from './record-form.module.css'
import { SaveBar, saveOnModEnter } from './save-bar.tsx'
import { useBusinessForm } from './use-business-form.ts'

const blank = emptyValues()

export function NewBusinessScreen() {
  if (!useCan('businesses.write')) return <NoPermission isPage what="the form for a new prospect" />
  return <NewBusinessForm />
}

function NewBusinessForm() {
  const draft = useDraft<BusinessFormValues>('new-business', parseValues)
  const { form, formRef, failure, showFailure, clearFailure, isComplete } = useBusinessForm(
    draft.restored?.value ?? blank,
    (values) => (isUnchanged(blank, values) ? draft.clear() : draft.keep(values)),
  )
  const { keyFor, done } = useIdempotencyKey()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = useLeave()

  const create = useMutation({
    mutationFn: (values: BusinessFormValues) => {
      const body = createBody(values)
      return createBusiness(body, keyFor(body))
    },
    onMutate: clearFailure,
    onError: showFailure,
    onSuccess: async (business) => {
      done()
      draft.clear()
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `${nameText(business.name)} is created.` })
      await navigate({ to: '/prospects/$businessId', params: { businessId: business.id }, replace: true })
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending && isComplete()) create.mutate(form.getValues())
  }

  return (
    <form ref={formRef} onSubmit={submit} onKeyDown={saveOnModEnter} noValidate className={classes.form}>
      <title>New prospect · Prospect Platform</title>
      <header className={classes.pageHead}>
        <Title order={1}>New prospect</Title>
      </header>
      <div className={classes.split}>
        <div className={classes.body}>
          {draft.restored !== null && (
            <DraftNotice
              savedAt={draft.restored.savedAt}
              discard={() => {
                form.setValues(emptyValues())
                clearFailure()
                draft.clear()
              }}
            />
          )}
          <BusinessFields form={form} assignee={null} />
        </div>
        <aside className={classes.aside} aria-label="Possible duplicates">
          <DuplicateHint values={form.values} />
        </aside>
      </div>
      <SaveBar label="Create prospect" isSaving={create.isPending} failure={failure} cancel={leave} />
    </form>
  )
}

/** Back to where the person came from; what was typed waits as a draft. */
function useLeave(): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => (canGoBack ? router.history.back() : void router.navigate({ to: '/prospects' }))
}
