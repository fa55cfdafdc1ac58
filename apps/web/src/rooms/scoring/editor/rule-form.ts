import type { UseFormReturnType } from '@mantine/form'
import type { SaveForm } from '../../../ui/forms/use-save-form.ts'
import type { FieldErrors, RuleValues } from './typed-content.ts'

type Form = UseFormReturnType<RuleValues>

/** The form as the parts of the editor use it. */
export type RuleForm = Pick<
  Form,
  'getInputProps' | 'setFieldValue' | 'insertListItem' | 'removeListItem' | 'reorderListItem'
> & {
  /** Errors by field: those of the form, and those of the live result. */
  errors: FieldErrors
  /** True while the form is saved. */
  isHeld: boolean
  clearErrorsBelow: (path: string) => void
}

/** Adds the errors of the live result to those of the form. */
export function ruleForm({ form, isSaving }: SaveForm<RuleValues>, live: FieldErrors): RuleForm {
  const own = Object.entries(form.errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const errors: FieldErrors = { ...live, ...Object.fromEntries(own) }
  return {
    ...form,
    errors,
    isHeld: isSaving,
    getInputProps: (path, options) => ({ ...form.getInputProps(path, options), error: errors[path] }),
    clearErrorsBelow: (path) =>
      form.setErrors(Object.fromEntries(own.filter(([field]) => !field.startsWith(`${path}.`)))),
  }
}
