import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { useSession } from '../api/session.ts'
import { AutofocusContext } from '../focus/autofocus-context.ts'
import { formErrors } from '../forms/form-errors.ts'
import { readOnlyWhileSaving } from '../forms/read-only-while-saving.ts'
import { refusedWith, type SaveFailure, saveFailureOf } from '../forms/save-failure.tsx'
import { submitOnModEnter } from '../forms/submit-on-mod-enter.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useIdempotencyKey } from '../forms/use-idempotency-key.ts'
import { recordName, refreshRecord } from './record-keys.ts'

type EntryForm<Values, Body> = {
  businessId: string
  /** one draft for each thing that an entry was begun for, so that none takes the place of another */
  draftName: string
  parse: (stored: unknown) => Values | null
  initial: Values
  isBlank: (values: Values) => boolean
  /** the inputs that can show an error of their own; any other is told above the buttons */
  inputs: readonly string[]
  /** what needs no server to be known; the message stands beside its input */
  missing: (values: Values) => Record<string, string>
  /** `now`: the same moment on every retry of one entry, or the retry would be another payload under another key */
  bodyOf: (values: Values, timeZone: string, now: string) => Body
  send: (body: Body, idempotencyKey: string) => Promise<unknown>
  /** 'evidence', 'an interaction': what was not saved, when it was left by then */
  what: string
  /** what is said when it is saved */
  saved: (values: Values) => string
  close: () => void
  /** opens the form again after Undo */
  reopen: () => void
}

/**
 * The form of something that is added to a record and then stays: it keeps a draft until it is saved, sends the same thing once
 * however often it is sent, and puts the focus on what was refused. `first` marks the input that has the focus when it opens.
 */
export function useEntryForm<Values extends Record<string, unknown>, Body>(options: EntryForm<Values, Body>) {
  const { businessId, draftName, parse, initial, isBlank, inputs, missing, bodyOf, send, what, saved, close, reopen } =
    options
  const { timeZone } = useSession().tenant
  const draft = useDraft<Values>(draftName, parse, { gone: close, returned: (values) => form.setValues(values) })
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: draft.restored?.value ?? initial,
    onValuesChange: (values) => (isBlank(values) ? draft.clear() : draft.keep(values)),
  })
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [refusals, setRefusals] = useState(0)
  const { attemptFor, done, refused } = useIdempotencyKey(draft.attempts)
  const queryClient = useQueryClient()
  const formRef = useRef<HTMLFormElement>(null)

  const takesFocus = useContext(AutofocusContext)

  useEffect(() => {
    if (refusals === 0 && !takesFocus()) return
    const wanted = refusals > 0 ? '[aria-invalid="true"]' : '[data-first]'
    formRef.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [refusals, takesFocus])

  const refuse = (errors: Record<string, string>, refusal: SaveFailure | null) => {
    form.setErrors(errors)
    setFailure(refusal)
    setRefusals((count) => count + 1)
  }

  const save = useMutation({
    meta: { notSaved: `${what} of ${recordName(queryClient, businessId)}` },
    mutationFn: (values: Values) => {
      draft.keepSent(values)
      const { key, at } = attemptFor({ values, timeZone })
      return send(bodyOf(values, timeZone, at), key)
    },
    onSuccess: (_answer, values) => {
      done()
      draft.clear()
      void refreshRecord(queryClient, businessId)
      notifications.show({ message: saved(values) })
      close()
    },
    onError: (error) => {
      refused(error)
      if (!isProblem(error) || error.errors.length === 0) return refuse({}, saveFailureOf(error))
      const { fields, general } = formErrors(error, (path) => inputs.includes(path))
      refuse(fields, general.length === 0 ? null : refusedWith(general.join(' ')))
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    // As it is by now: what a field takes at the same key is not drawn yet.
    const values = form.getValues()
    const lacking = missing(values)
    if (Object.keys(lacking).length > 0) return refuse(lacking, null)
    refuse({}, null)
    save.mutate(values)
  }

  return {
    form: readOnlyWhileSaving(form, save.isPending),
    timeZone,
    failure,
    isSaving: save.isPending,
    discard: () => {
      // A save in flight clears the draft when it succeeds and keeps it when it fails.
      if (!save.isPending) draft.discard(reopen)
      close()
    },
    formProps: {
      ref: formRef,
      onSubmit: submit,
      noValidate: true,
      onKeyDown: submitOnModEnter,
    },
  }
}
