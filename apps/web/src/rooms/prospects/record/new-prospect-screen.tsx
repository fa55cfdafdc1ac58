import { Alert, Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { addEvidence, createBusiness } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useCanGoBack, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sentenceOf } from '../../../ui/api/api-problem.ts'
import { withKey } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { useCan } from '../../../ui/api/session.ts'
import { readOnlyWhileSaving } from '../../../ui/forms/read-only-while-saving.ts'
import { useDraft } from '../../../ui/forms/use-draft.ts'
import { useIdempotencyKey } from '../../../ui/forms/use-idempotency-key.ts'
import { useIsMounted } from '../../../ui/forms/use-is-mounted.ts'
import { PageHead } from '../../../ui/layout/page.tsx'
import { NoPermission } from '../../../ui/layout/states.tsx'
import { refreshRecord } from '../../../ui/prospects/record-keys.ts'
import { useRecordedRows } from '../../../ui/prospects/recorded-rows.ts'
import { type RowPrefill, rowEvidence, thisPage } from '../../../ui/prospects/row-prefill.ts'
import { Name } from '../../../ui/text/name.tsx'
import { nameText } from '../../../ui/text/name-text.ts'
import { parseValues } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { DuplicateHint } from './duplicate-hint.tsx'
import { ProspectFields } from './prospect-fields.tsx'
import { createBody, emptyValues, isUnchanged, type ProspectFormValues } from './prospect-form.ts'
import classes from './record-form.module.css'
import { isByOther, recordFormKeys, SaveBar } from './save-bar.tsx'
import { useProspectForm } from './use-prospect-form.ts'

const blank = emptyValues()

export function NewProspectScreen() {
  const prefill = useLocation({ select: ({ state }) => state.prefill ?? null })
  if (!useCan('businesses.write')) return <NoPermission isPage to="add prospects" />
  return <NewBusinessForms prefill={prefill} />
}

/** One after the other, for whoever has several to enter. */
function NewBusinessForms({ prefill }: { prefill: RowPrefill | null }) {
  const [created, setCreated] = useState(0)
  return (
    <NewBusinessForm
      key={`${created} ${prefill?.source.reference ?? ''}`}
      prefill={prefill}
      next={() => setCreated(created + 1)}
    />
  )
}

function NewBusinessForm({ prefill, next }: { prefill: RowPrefill | null; next: () => void }) {
  // What was begun from a row is a draft of its own, so that it takes no other's place.
  const name = prefill === null ? 'new-business' : `new-business-${prefill.source.reference}`
  const draft = useDraft<ProspectFormValues>(name, parseValues, {
    gone: () => {
      form.setValues(begun)
      clearFailure()
    },
    returned: (values) => form.setValues(values),
  })
  const begun = (prefill === null ? null : parseValues(prefill.values)) ?? blank
  const [isRecorded, setIsRecorded] = useState(true)
  const { form, formRef, failure, showFailure, clearFailure, isComplete, focusFirst } = useProspectForm(
    draft.restored?.value ?? begun,
    (values) => (isUnchanged(begun, values) ? draft.clear() : draft.keep(values)),
  )
  const { attemptFor, done, refused } = useIdempotencyKey(draft.attempts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leave = useLeave()
  const { add } = useRecordedRows()
  const isHere = useIsMounted()

  const create = useMutation({
    meta: { notSaved: nameText(form.values.name) },
    mutationFn: async ({ values }: { values: ProspectFormValues; another: boolean }) => {
      draft.keepSent(values)
      const body = createBody(values)
      const { key, at } = attemptFor(body)
      return { business: await dataOf(createBusiness({ body, ...withKey(key) })), at }
    },
    onMutate: clearFailure,
    onError: (error) => {
      refused(error)
      showFailure(error)
    },
    onSuccess: async ({ business, at }, { another }) => {
      done()
      draft.clear()
      void refreshRecord(queryClient, business.id)
      notifications.show({ message: `${nameText(business.name)} is created.` })
      if (prefill !== null) {
        add({ reference: prefill.source.reference, businessId: business.id, isNew: true })
        if (isRecorded) await recordSource(business.id, prefill, at)
      }
      if (!isHere()) return
      if (another) return next()
      // Back to the row that it came from.
      if (prefill?.page === thisPage) return leave()
      await navigate({ to: '/prospects/$businessId', params: { businessId: business.id }, replace: true })
    },
  })

  const cancel = () => {
    // A save in flight clears the draft when it succeeds and keeps it when it fails.
    if (!create.isPending)
      draft.discard(() => void navigate({ to: '/prospects/new', state: prefill === null ? {} : { prefill } }))
    leave()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending && isComplete()) create.mutate({ values: form.getValues(), another: isByOther(event) })
  }

  return (
    <form ref={formRef} onSubmit={submit} onKeyDown={recordFormKeys} noValidate className={classes.form}>
      <div className={classes.pageHead}>
        <PageHead title="New prospect" />
      </div>
      <div className={classes.split}>
        <div className={classes.body}>
          {draft.restored !== null && (
            <DraftNotice
              savedAt={draft.restored.savedAt}
              discard={() => {
                form.setValues(parseValues(prefill?.values) ?? emptyValues())
                clearFailure()
                draft.clear()
                focusFirst()
              }}
            />
          )}
          {prefill !== null && (
            <Alert variant="outline" title={`From ${prefill.source.place}`} mb="md">
              Look at each value before you save it: the file was read, not checked.
              <Checkbox
                mt="xs"
                label="Record the row as an observation on the new prospect, with the file as its source"
                checked={isRecorded}
                onChange={(event) => setIsRecorded(event.currentTarget.checked)}
              />
            </Alert>
          )}
          <ProspectFields
            form={readOnlyWhileSaving(form, create.isPending)}
            assignee={null}
            restoredAt={draft.restored?.savedAt ?? null}
          />
        </div>
        <aside className={classes.aside} aria-label="Possible duplicates">
          <DuplicateHint values={form.values} isHeld={create.isPending || create.isSuccess} />
        </aside>
      </div>
      <SaveBar
        label="Create prospect"
        {...(prefill === null && { otherLabel: 'Create and next' })}
        isSaving={create.isPending}
        failure={failure}
        look={create.variables !== undefined && <LookFor name={create.variables.values.name} />}
        cancel={cancel}
      />
    </form>
  )
}

/** In a tab of its own: the form stays. */
function LookFor({ name }: { name: string }) {
  return (
    <>
      {' '}
      <Link to="/prospects" search={{ q: name.trim() }} target="_blank">
        Look for “<Name of={name.trim()} />”
      </Link>
    </>
  )
}

/** The record stands whether or not its source could be recorded; then the person is told. */
async function recordSource(businessId: string, { source }: RowPrefill, at: string): Promise<void> {
  try {
    const body = rowEvidence(source, 'low', at)
    await dataOf(addEvidence({ path: { businessId }, body, ...withKey(`csv-row-${businessId}`) }))
  } catch (error) {
    notifications.show({ color: 'red', message: `The row was not recorded as an observation. ${sentenceOf(error)}` })
  }
}

/** Back to where the person came from. */
function useLeave(): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => (canGoBack ? router.history.back() : void router.navigate({ to: '/prospects' }))
}
