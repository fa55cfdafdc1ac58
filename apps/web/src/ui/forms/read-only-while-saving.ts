import type { UseFormReturnType } from '@mantine/form'

const ignore = (): void => {}

/**
 * The form with read-only inputs while it is being saved (`isHeld`). Text typed meanwhile would not be part of the request, and would be lost when
 * the form closes.
 */
export function readOnlyWhileSaving<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  isHeld: boolean,
): UseFormReturnType<Values> {
  if (!isHeld) return form
  return {
    ...form,
    getInputProps: (path, options) => ({ ...form.getInputProps(path, options), readOnly: true, onChange: ignore }),
    setFieldValue: ignore,
    insertListItem: ignore,
    removeListItem: ignore,
    reorderListItem: ignore,
  }
}
