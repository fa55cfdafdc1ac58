import { TextInput, type TextInputProps } from '@mantine/core'

const placeholders = { day: 'yyyy-mm-dd', time: 'yyyy-mm-dd hh:mm', dayOrTime: 'yyyy-mm-dd or yyyy-mm-dd hh:mm' }

/**
 * A day, or a time on one, that a form reads when it is sent: typed as it is shown everywhere, because a date input of the browser follows
 * its own language (`day-field.tsx`). The hint stands below, so that inputs side by side stay in line.
 */
export function TypedTime({ of, ...props }: TextInputProps & { of: keyof typeof placeholders }) {
  return (
    <TextInput
      placeholder={placeholders[of]}
      autoComplete="off"
      maxLength={20}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
    />
  )
}
