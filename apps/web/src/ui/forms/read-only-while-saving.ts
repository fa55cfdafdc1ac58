import type { UseFormReturnType } from '@mantine/form'

const ignore = (): void => {}

/**
 * The form for its inputs to be drawn from. While it `isHeld`, on its way to the server, none of them takes anything: what was typed
 * meanwhile would not be sent with it, and would be gone when the form is.
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
  }
}
