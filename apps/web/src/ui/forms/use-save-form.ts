import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { newKey } from '../api/idempotency.ts'
import { AutofocusContext } from '../focus/autofocus-context.ts'
import { changedFields, isSame } from './changed-fields.ts'
import { draftFields, type FieldGuards } from './draft-fields.ts'
import { formErrors } from './form-errors.ts'
import { readOnlyWhileSaving } from './read-only-while-saving.ts'
import { refusedWith, type SaveFailure, saveFailureOf } from './save-failure.tsx'
import { submitOnModEnter } from './submit-on-mod-enter.ts'
import { useDraft } from './use-draft.ts'
import { type Attempt, type AttemptStore, useIdempotencyKey } from './use-idempotency-key.ts'
import { useIsMounted } from './use-is-mounted.ts'

/** Messages by field. */
export type FieldErrors = Record<string, string>

/** Why a form was not saved: messages by field, and what belongs to no field. */
export type Refusal = { fields?: FieldErrors; failure?: SaveFailure | null }

type Saved = {
  /** False when the person left the form meanwhile. */
  isMounted: () => boolean
  /** The time of the first request of this attempt. */
  at: string
  /** The button that sent the form. */
  submitter: HTMLElement | null
}

type DraftOptions<Values> = {
  /** One for each thing that the form is opened for. */
  name: string
  guards?: FieldGuards<Values>
  /** Whether nothing worth a draft was typed; by default, whether no field differs from `initial`. */
  isBlank?: (values: Values) => boolean
  /** Drafts of sensitive values stay in this tab. */
  isSensitive?: (values: Values) => boolean
  /** The draft was saved or discarded elsewhere, and nothing changed here since. */
  gone?: () => void
}

export type SaveFormOptions<Values extends Record<string, unknown>, Answer> = {
  /** The values without changes. When they change, fields that nobody touched follow. */
  initial: Values
  /** Errors that need no server. With one, nothing is sent. */
  validate?: (values: Values) => FieldErrors
  /** `attempt.key` is the idempotency key: the same for a retry of the same values, as is `attempt.at`, the time of the first request. */
  send: (values: Values, attempt: Attempt) => Promise<Answer>
  /** The draft is cleared before. Closing or resetting the form is the caller's. */
  onSaved: (answer: Answer, values: Values, saved: Saved) => unknown
  /** For the notification about a save that fails after the person left: 'the invitation of Ann'. Absent: they are not notified. */
  what?: string | ((values: Values) => string)
  /** The notification says "Not done" instead of "Not saved". */
  isAction?: boolean
  draft?: DraftOptions<Values>
  /** A draft that the caller stores. */
  attempts?: AttemptStore
  onChange?: (values: Values) => void
  /** What is sent, for the idempotency key: by default the values. Retries of an equal payload carry one key. */
  payloadOf?: (values: Values) => unknown
  /** Others can undo it: a retry does it again instead of returning the stored answer. */
  isUndoable?: boolean
  /** The field that shows the error of a path of the API; undefined: above the buttons. By default, the field of that name. */
  fieldOf?: (path: string, values: Values) => string | undefined
  /** Fields that are judged as one: a change of one clears the errors of all. */
  together?: readonly string[]
  /** A refusal in other words than the problem's, or `'handled'` when the form shows nothing. */
  explain?: (
    error: unknown,
    values: Values,
  ) => Refusal | 'handled' | undefined | Promise<Refusal | 'handled' | undefined>
}

export type SaveForm<Values extends Record<string, unknown>> = {
  /** Draws the inputs: `form.getInputProps('name')`. They take nothing while the form is saved. */
  form: UseFormReturnType<Values>
  values: Values
  set: (part: Partial<Values>) => void
  isChanged: boolean
  isSaving: boolean
  isSaved: boolean
  isAction: boolean
  failure: SaveFailure | null
  /** When the draft was stored that the form opened with. */
  restored: { savedAt: string } | null
  /** Back to the initial values, without a draft. */
  reset: () => void
  /** For Cancel: drops the draft and offers to restore it, unless a save is on its way. `reopen` opens the form again. */
  discard: (reopen: () => void) => void
  refuse: (refusal: Refusal) => void
  clearRefusal: () => void
  /** Sends the form as its button does. */
  submit: () => void
  formProps: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: (event: FormEvent) => void
    onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void
    noValidate: true
  }
}

/**
 * The state of a form that is sent to the API. Errors stand beside their fields and the first invalid field takes the focus; what belongs to
 * no field stands above the buttons. What was typed survives a failure, a reload and a lapsed session as a draft, and is saved once however
 * often it is sent. Draw it with `SaveForm` or `FormDialog`. `data-first` marks the input that has the focus when the form opens outside a
 * dialog, `data-missing` a group of inputs with an error, `data-refused` an input that takes the focus after a refusal that names no field.
 */
export function useSaveForm<Values extends Record<string, unknown>, Answer>(
  options: SaveFormOptions<Values, Answer>,
): SaveForm<Values> {
  const { initial, validate, send, onSaved, what, isAction = false, together = [], explain } = options
  const fieldOf =
    options.fieldOf ?? ((path: string, values: Values) => (Object.hasOwn(values, path) ? path : undefined))
  const base = useRef(initial)
  const stored = options.draft
  const draft = useDraft<Partial<Values>>(
    stored?.name ?? null,
    (found) => draftFields(found, initial, stored?.guards),
    {
      ...(stored?.isSensitive && { isSensitive: (part) => stored.isSensitive?.({ ...initial, ...part }) === true }),
      gone: () => {
        form.setValues(base.current)
        stored?.gone?.()
      },
      returned: (part) => form.setValues({ ...base.current, ...part }),
    },
  )
  const keep = (values: Values) => {
    const changed = changedFields(base.current, values)
    if (stored?.isBlank?.(values) ?? Object.keys(changed).length === 0) draft.clear()
    else draft.keep(changed)
  }
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { ...initial, ...draft.restored?.value },
    onValuesChange: (values, before) => {
      if (together.some((field) => !isSame(values[field], before[field])))
        for (const field of together) form.clearFieldError(field)
      if (stored !== undefined) keep(values)
      options.onChange?.(values)
    },
  })
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [refusals, setRefusals] = useState(0)
  const { attemptFor, done, refused } = useIdempotencyKey(options.attempts ?? draft.attempts)
  const isMounted = useIsMounted()
  const formRef = useRef<HTMLFormElement>(null)
  const takesFocus = useContext(AutofocusContext)

  // Somebody else changed what is edited here.
  useEffect(() => {
    if (isSame(base.current, initial)) return
    const changed = changedFields(base.current, form.getValues())
    base.current = initial
    form.setValues({ ...initial, ...changed })
  })

  useEffect(() => {
    if (refusals > 0) return focusRefused(formRef.current)
    const first = formRef.current?.querySelector<HTMLElement>('[data-first]')
    if (first && takesFocus()) first.focus()
  }, [refusals, takesFocus])

  const refuse = ({ fields = {}, failure: reason = null }: Refusal) => {
    form.setErrors(fields)
    setFailure(reason)
    setRefusals((count) => count + 1)
  }

  const name = typeof what === 'function' ? what(form.values) : what
  const save = useMutation({
    meta: name === undefined ? { isTold: true } : isAction ? { notDone: name, keepsText: true } : { notSaved: name },
    // Values may be secret: the cache drops them with the answer.
    gcTime: 0,
    mutationFn: async ({ values }: { values: Values; submitter: HTMLElement | null }) => {
      if (stored !== undefined) draft.keepSent(changedFields(base.current, values))
      const attempt = attemptFor(options.payloadOf?.(values) ?? { values })
      const answer = await send(values, options.isUndoable === true ? { ...attempt, key: newKey() } : attempt)
      return { answer, at: attempt.at }
    },
    onSuccess: ({ answer, at }, { values, submitter }) => {
      done()
      draft.clear()
      return onSaved(answer, values, { isMounted, at, submitter })
    },
    onError: async (error, { values }) => {
      refused(error)
      const explained = await explain?.(error, values)
      if (explained === 'handled') return
      refuse(explained ?? refusalOf(error, (path) => fieldOf(path, values), isAction))
    },
  })

  const clearRefusal = () => {
    form.clearErrors()
    setFailure(null)
  }
  const submit = (submitter: HTMLElement | null = null) => {
    if (save.isPending) return
    // The current values: those of a key that submits too are not rendered yet.
    const values = form.getValues()
    const invalid = validate?.(values) ?? {}
    if (Object.keys(invalid).length > 0) return refuse({ fields: invalid })
    clearRefusal()
    save.mutate({ values, submitter })
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const { nativeEvent } = event
    submit(nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null)
  }

  return {
    form: readOnlyWhileSaving(form, save.isPending),
    values: form.values,
    set: (part) => {
      if (save.isPending) return
      const { errors } = form
      form.setValues(part)
      // It clears all errors; those of other fields still hold.
      form.setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !Object.hasOwn(part, field))))
    },
    isChanged: !isSame(initial, form.values),
    isSaving: save.isPending,
    isSaved: save.isSuccess,
    isAction,
    failure,
    restored: draft.restored,
    reset: () => {
      form.setValues(base.current)
      clearRefusal()
      draft.clear()
    },
    discard: (reopen) => {
      // A save on its way clears the draft when it succeeds and keeps it when it fails.
      if (!save.isPending) draft.discard(reopen)
    },
    refuse,
    clearRefusal,
    submit: () => submit(),
    formProps: { ref: formRef, onSubmit, onKeyDown: submitOnModEnter, noValidate: true },
  }
}

function refusalOf(error: unknown, fieldOf: (path: string) => string | undefined, isAction: boolean): Refusal {
  if (!isProblem(error) || error.errors.length === 0) return { failure: saveFailureOf(error, isAction) }
  const known = new Set<string>()
  const errors = error.errors.map((one) => {
    const field = closestField(one.path, fieldOf)
    if (field !== undefined) known.add(field)
    return { ...one, path: field ?? one.path }
  })
  const { fields, general } = formErrors({ ...error, errors }, (path) => known.has(path))
  return { fields, failure: general.length === 0 ? null : refusedWith(general.join(' ')) }
}

/** The field of a path, or of the list that it is in: 'participants.2' is shown at 'participants'. */
function closestField(path: string, fieldOf: (path: string) => string | undefined): string | undefined {
  const field = fieldOf(path)
  if (field !== undefined || !path.includes('.')) return field
  return closestField(path.slice(0, path.lastIndexOf('.')), fieldOf)
}

function focusRefused(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[data-missing] input, [aria-invalid="true"]')
  const next = invalid ?? form?.querySelector<HTMLElement>('[data-refused]')
  next?.focus()
  if (next instanceof HTMLInputElement && next.matches('[data-refused]')) next.select()
}
