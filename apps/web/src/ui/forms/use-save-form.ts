import { type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { isProblem } from '../api/api-problem.ts'
import { newKey } from '../api/idempotency.ts'
import { AutofocusContext } from '../focus/autofocus-context.ts'
import { changedFields, isSame } from './changed-fields.ts'
import type { FieldGuards } from './draft-fields.ts'
import { formErrors } from './form-errors.ts'
import { readOnlyWhileSaving } from './read-only-while-saving.ts'
import { refusedWith, type SaveFailure, saveFailureOf } from './save-failure.tsx'
import { submitOnModEnter } from './submit-on-mod-enter.ts'
import { useDraft } from './use-draft.ts'
import {
  type EditedRecord,
  type FormDraft,
  labelOf,
  linesOf,
  parseFormDraft,
  type ShownConflict,
  useFormConflicts,
} from './use-form-conflicts.ts'
import { type Attempt, type AttemptStore, type LoadOnce, useIdempotencyKey } from './use-idempotency-key.ts'
import { useIsMounted } from './use-is-mounted.ts'

/** Error messages by field. */
export type FieldErrors = Record<string, string>

/** Reason why a form was not saved: messages by field, and an error that belongs to no field. */
export type Refusal = { fields?: FieldErrors; failure?: SaveFailure | null }

type Saved = {
  /** False if the user has left the form. */
  isMounted: () => boolean
  /** Time of the first request of this attempt. */
  at: string
  /** Button that sent the form. */
  submitter: HTMLElement | null
}

type DraftOptions<Values> = {
  /** Name of the draft, unique per record or purpose of the form. */
  name: string
  guards?: FieldGuards<Values>
  /** Returns true if the values are not worth a draft. Default: no field differs from `initial`. */
  isBlank?: (values: Values) => boolean
  /** Returns true for sensitive values, whose draft is stored in this tab only. */
  isSensitive?: (values: Values) => boolean
  /** Called when the draft was saved or discarded elsewhere and this form has not changed since. */
  gone?: () => void
}

export type SaveFormOptions<Values extends Record<string, unknown>, Answer> = {
  /** The unchanged values. When they change, untouched fields follow. */
  initial: Values
  /**
   * Given by a form that changes a record. If someone else changes a field that the person changed too, the form shows both values and is not sent
   * before the person has chosen. Without it, the last one to save overwrites the other.
   */
  edits?: EditedRecord<Values>
  /** Errors found without the server. If there are any, nothing is sent. */
  validate?: (values: Values) => FieldErrors
  /**
   * Sends the values. `attempt.key` is the idempotency key and `attempt.at` the time of the first request; both stay the same for a retry of the same
   * values. `loadOnce` reads a part of the body from the server, which also stays the same for a retry.
   */
  send: (values: Values, attempt: Attempt, loadOnce: LoadOnce) => Promise<Answer>
  /** Called after success, when the draft is already deleted. The caller closes or resets the form. */
  onSaved: (answer: Answer, values: Values, saved: Saved) => unknown
  /** Name of the change in the notification if saving fails after the user left: 'the invitation of Ann'. If undefined, there is no notification. */
  what?: string | ((values: Values) => string)
  /** True if the form performs an action. The notification then says "Not done" instead of "Not saved". */
  isAction?: boolean
  draft?: DraftOptions<Values>
  /** Attempts of a draft that the caller stores. */
  attempts?: AttemptStore
  onChange?: (values: Values) => void
  /** Payload for the idempotency key; by default the values. Retries of an equal payload use the same key. */
  payloadOf?: (values: Values) => unknown
  /** True if other users can undo the change: a retry then repeats the change instead of returning the stored response. */
  isUndoable?: boolean
  /** Returns the field that shows the error of an API path, or undefined to show it above the buttons. Default: the field with that name. */
  fieldOf?: (path: string, values: Values) => string | undefined
  /** Fields that are validated together: a change of one clears the errors of all. */
  together?: readonly string[]
  /** Converts an error to messages of the form. `'handled'`: the form shows nothing. */
  explain?: (
    error: unknown,
    values: Values,
  ) => Refusal | 'handled' | undefined | Promise<Refusal | 'handled' | undefined>
}

export type SaveForm<Values extends Record<string, unknown>> = {
  /** Renders the inputs: `form.getInputProps('name')`. They are read-only while the form is saved. */
  form: UseFormReturnType<Values>
  values: Values
  set: (part: Partial<Values>) => void
  isChanged: boolean
  isSaving: boolean
  isSaved: boolean
  isAction: boolean
  failure: SaveFailure | null
  /** Fields that someone else changed too, with both values. */
  conflicts: readonly ShownConflict[]
  /** Time of the draft with which the form opened. */
  restored: { savedAt: string } | null
  /** Resets to the initial values and deletes the draft. */
  reset: () => void
  /** Called by Cancel: deletes the draft and offers Undo, unless a save is pending. `reopen` opens the form again. */
  discard: (reopen: () => void) => void
  refuse: (refusal: Refusal) => void
  clearRefusal: () => void
  /** Submits the form as its button does. */
  submit: () => void
  formProps: {
    ref: RefObject<HTMLFormElement | null>
    onSubmit: (event: FormEvent) => void
    onKeyDown: (event: KeyboardEvent<HTMLFormElement>) => void
    noValidate: true
  }
}

/**
 * State of a form that is sent to the API. Errors appear beside their fields and the first invalid field gets the focus; other errors appear above
 * the buttons. Typed text survives a failure, a reload and an expired session as a draft, and retries save it only once. Render it with `SaveForm` or
 * `FormDialog`.
 *
 * Attributes: `data-first` marks the input that gets the focus when the form opens outside a dialog; `data-missing` a group of inputs with an error;
 * `data-refused` an input that gets the focus after an error without a field.
 */
export function useSaveForm<Values extends Record<string, unknown>, Answer>(
  options: SaveFormOptions<Values, Answer>,
): SaveForm<Values> {
  const { initial, edits, validate, send, onSaved, what, isAction = false, together = [], explain } = options
  const fieldOf =
    options.fieldOf ?? ((path: string, values: Values) => (Object.hasOwn(values, path) ? path : undefined))
  /** The values of the record as this form last saw them: `initial`, or those that it saved. */
  const base = useRef(initial)
  const seen = useRef(initial)
  const stored = options.draft
  const draft = useDraft<FormDraft<Values>>(
    stored?.name ?? null,
    (found) => parseFormDraft(found, initial, stored?.guards),
    {
      ...(stored?.isSensitive && {
        isSensitive: ({ fields }) => stored.isSensitive?.({ ...initial, ...fields }) === true,
      }),
      gone: () => {
        conflicts.clear()
        form.setValues(base.current)
        stored?.gone?.()
      },
      returned: (back) => form.setValues(conflicts.resume(back)),
    },
  )
  const conflicts = useFormConflicts(initial, edits, draft.restored?.value)
  const keep = (values: Values) => {
    const fields = changedFields(base.current, values)
    if (stored?.isBlank?.(values) ?? Object.keys(fields).length === 0) draft.clear()
    else draft.keep(conflicts.draftOf(fields, base.current))
  }
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: conflicts.began,
    onValuesChange: (values, before) => {
      conflicts.typed(values)
      if (together.some((field) => !isSame(values[field], before[field])))
        for (const field of together) form.clearFieldError(field)
      if (stored !== undefined) keep(values)
      options.onChange?.(values)
    },
  })
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [refusals, setRefusals] = useState(0)
  const { attemptFor, loadOnce, done, refused } = useIdempotencyKey(options.attempts ?? draft.attempts)
  const isMounted = useIsMounted()
  const formRef = useRef<HTMLFormElement>(null)
  const takesFocus = useContext(AutofocusContext)

  // The record changed on the server: update the untouched fields. During a save it changes by the save itself.
  useEffect(() => {
    if (isSame(seen.current, initial) || save.isPending) return
    const versions = { base: base.current, theirs: initial, mine: form.getValues() }
    seen.current = initial
    base.current = initial
    form.setValues(
      edits === undefined ? { ...initial, ...changedFields(versions.base, versions.mine) } : conflicts.follow(versions),
    )
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
    // Values may be secret: with a cache time of 0 they are dropped with the response.
    gcTime: 0,
    mutationFn: async ({ values }: { values: Values; submitter: HTMLElement | null }) => {
      if (stored !== undefined) draft.keepSent(conflicts.draftOf(changedFields(base.current, values), base.current))
      const attempt = attemptFor(options.payloadOf?.(values) ?? { values })
      const sent = options.isUndoable === true ? { ...attempt, key: newKey() } : attempt
      const answer = await send(values, sent, loadOnce(attempt))
      return { answer, at: attempt.at }
    },
    onSuccess: ({ answer, at }, { values, submitter }) => {
      done()
      draft.clear()
      if (edits !== undefined) {
        // The server may store them in another form, for example without spaces at the end. That is no change of someone else.
        base.current = values
        conflicts.clear()
      }
      return onSaved(answer, values, { isMounted, at, submitter })
    },
    onError: async (error, { values }) => {
      refused(error)
      const explained = await explain?.(error, values)
      if (explained === 'handled') return
      if (explained === undefined && edits !== undefined && isProblem(error, 'version_conflict')) {
        const isRead = await edits.reload().then(
          () => true,
          () => false,
        )
        if (isRead) return refuse({ failure: refusedWith(changedMeanwhile) })
      }
      refuse(explained ?? refusalOf(error, (path) => fieldOf(path, values), isAction))
    },
  })

  const clearRefusal = () => {
    form.clearErrors()
    setFailure(null)
  }
  const submit = (submitter: HTMLElement | null = null) => {
    if (save.isPending) return
    // Read the current values: after a key that also submits, the rendered ones are one step behind.
    const values = form.getValues()
    const invalid = validate?.(values) ?? {}
    if (Object.keys(invalid).length > 0) return refuse({ fields: invalid })
    if (conflicts.isOpen()) return refuse({ failure: refusedWith(unchosen) })
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
      // `setValues` clears all errors; restore those of the other fields.
      form.setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !Object.hasOwn(part, field))))
    },
    isChanged: !isSame(initial, form.values),
    isSaving: save.isPending,
    isSaved: save.isSuccess,
    isAction,
    failure,
    conflicts: conflicts.shown.map((conflict) => ({
      label: labelOf(conflict.unit, edits?.labels),
      start: linesOf(conflict.unit, conflict.start, edits?.lines),
      theirs: linesOf(conflict.unit, conflict.theirs, edits?.lines),
      mine: linesOf(conflict.unit, conflict.mine, edits?.lines),
      choice: conflict.choice,
      choose: (side) => {
        if (save.isPending) return
        form.setValues(conflict[side])
        conflicts.choose(conflict, side)
        clearRefusal()
      },
    })),
    restored: draft.restored,
    reset: () => {
      conflicts.clear()
      form.setValues(base.current)
      clearRefusal()
      draft.clear()
    },
    discard: (reopen) => {
      // A pending save deletes the draft if it succeeds and needs it if it fails.
      if (!save.isPending) draft.discard(reopen)
    },
    refuse,
    clearRefusal,
    submit: () => submit(),
    formProps: { ref: formRef, onSubmit, onKeyDown: submitOnModEnter, noValidate: true },
  }
}

const changedMeanwhile =
  'Someone else saved changes first. The fields that you did not edit now show the saved values. Check these values, then save again.'
const unchosen = 'Someone else changed the same field. Choose the value to keep, then save again.'

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

/** The field of a path, or of the list that contains it: 'participants.2' is shown at 'participants'. */
function closestField(path: string, fieldOf: (path: string) => string | undefined): string | undefined {
  const field = fieldOf(path)
  if (field !== undefined || !path.includes('.')) return field
  return closestField(path.slice(0, path.lastIndexOf('.')), fieldOf)
}

function focusRefused(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[data-missing] :is(input, [role="radio"]), [aria-invalid="true"]')
  const next = invalid ?? form?.querySelector<HTMLElement>('[data-refused]')
  next?.focus()
  if (next instanceof HTMLInputElement && next.matches('[data-refused]')) next.select()
}
