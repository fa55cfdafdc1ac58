import { type UseFormReturnType, useForm } from '@mantine/form'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { isProblem } from '../../../ui/api/api-problem.ts'
import { formErrors } from '../../../ui/forms/form-errors.ts'
import { refusedWith, type SaveFailure, saveFailureOf } from '../../../ui/forms/save-failure.tsx'
import { formPath, hasInput, missingIn, type ProspectFormValues } from './prospect-form.ts'

export type ProspectForm = UseFormReturnType<ProspectFormValues>

type FormState = {
  form: ProspectForm
  formRef: RefObject<HTMLFormElement | null>
  /** What went wrong that belongs to no single field. */
  failure: SaveFailure | null
  /** Puts each message of a refused save beside its field and the rest above the form, and goes to the first. */
  showFailure: (error: unknown) => void
  clearFailure: () => void
  /** The rule that needs no server. */
  isComplete: () => boolean
  /** Back to where the form begins. */
  focusFirst: () => void
}

export function useProspectForm(
  initialValues: ProspectFormValues,
  onValuesChange: (values: ProspectFormValues) => void,
): FormState {
  const form = useForm<ProspectFormValues>({ mode: 'controlled', initialValues, onValuesChange })
  const formRef = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [refusals, setRefusals] = useState(0)

  useEffect(() => {
    if (refusals > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const { setErrors, getValues } = form
  const refuse = useCallback(
    (errors: Record<string, string>, refusal: SaveFailure | null) => {
      setErrors(errors)
      setFailure(refusal)
      setRefusals((count) => count + 1)
    },
    [setErrors],
  )

  const showFailure = useCallback(
    (error: unknown) => {
      if (!isProblem(error) || error.errors.length === 0) return refuse({}, saveFailureOf(error))
      const values = getValues()
      const errors = error.errors.map((told) => ({ ...told, path: formPath(told.path, values) }))
      const { fields, general } = formErrors({ ...error, errors }, (path) => hasInput(path, values))
      refuse(fields, general.length > 0 ? refusedWith(general.join(' ')) : null)
    },
    [refuse, getValues],
  )

  const isComplete = useCallback(() => {
    const errors = missingIn(getValues())
    if (Object.keys(errors).length === 0) return true
    refuse(errors, null)
    return false
  }, [getValues, refuse])

  const clearFailure = useCallback(() => {
    setErrors({})
    setFailure(null)
  }, [setErrors])

  const focusFirst = () => formRef.current?.querySelector<HTMLElement>('[data-path="name"]')?.focus()

  return { form, formRef, failure, showFailure, clearFailure, isComplete, focusFirst }
}
