import { Button, type ButtonProps, Group, Stack } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { CancelButton } from '../forms/cancel-button.tsx'
import { SaveForm } from '../forms/save-form.tsx'
import { type SaveFormOptions, type SaveForm as SaveFormState, useSaveForm } from '../forms/use-save-form.ts'
import { Dialog } from './dialog.tsx'

type Draft<Values extends Record<string, unknown>> = NonNullable<SaveFormOptions<Values, unknown>['draft']>

type Props<Values extends Record<string, unknown>, Answer> = Omit<SaveFormOptions<Values, Answer>, 'draft'> & {
  /** The dialog closes when its draft was saved or discarded elsewhere, for example in another tab. */
  draft?: Omit<Draft<Values>, 'gone'>
  title: string
  /** Verb and noun, such as 'Add entry'. */
  submitLabel: string
  tone?: 'normal' | 'danger'
  size?: ButtonProps['size'] & ('sm' | 'md' | 'lg')
  close: () => void
  /** Called to open the dialog again when the person undoes Cancel. */
  reopen?: () => void
  /** True while the form cannot be submitted, by its button or by a key. */
  isDisabled?: (values: Values) => boolean
  submitRef?: Ref<HTMLButtonElement>
  children: (save: SaveFormState<Values>) => ReactNode
}

/** A form in a dialog, which stays open until the server responds. Closing stores the draft; Cancel discards it, with Undo. */
export function FormDialog<Values extends Record<string, unknown>, Answer>(props: Props<Values, Answer>) {
  const {
    title,
    submitLabel,
    tone = 'normal',
    size,
    close,
    reopen,
    isDisabled,
    submitRef,
    children,
    draft,
    ...options
  } = props
  const save = useSaveForm({ ...options, ...(draft !== undefined && { draft: { ...draft, gone: close } }) })
  const { isSaving } = save
  const isOff = isDisabled?.(save.values) === true
  return (
    <Dialog
      title={title}
      onClose={() => !isSaving && close()}
      closeOnClickOutside={false}
      {...(size !== undefined && { size })}
    >
      <SaveForm
        save={isOff ? { ...save, formProps: { ...save.formProps, onSubmit: (event) => event.preventDefault() } } : save}
        actions={
          <Group justify="flex-end" gap="xs" mt="md">
            {/* If the form has no field, Cancel gets the focus, so that Ctrl+Enter works. */}
            <CancelButton
              save={save}
              close={close}
              {...(reopen !== undefined && { reopen })}
              disabled={isSaving}
              data-autofocus
            />
            <Button
              type="submit"
              {...(tone === 'danger' && { color: 'red' })}
              loading={isSaving}
              disabled={isOff}
              {...(submitRef !== undefined && { ref: submitRef })}
            >
              {submitLabel}
            </Button>
          </Group>
        }
      >
        <Stack gap="sm">{children(save)}</Stack>
      </SaveForm>
    </Dialog>
  )
}
