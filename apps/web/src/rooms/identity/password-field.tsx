import { PasswordInput, type PasswordInputProps } from '@mantine/core'

type Props = PasswordInputProps & {
  /** accessible name of the button that shows the typed password */
  showLabel?: string
}

/** Password input with a button that can be reached by keyboard. It sets `aria-invalid` itself, because Mantine's `PasswordInput` does not. */
export function PasswordField({ showLabel = 'Show password', ...props }: Props) {
  return (
    <PasswordInput
      autoComplete="current-password"
      aria-invalid={Boolean(props.error)}
      visibilityToggleButtonProps={{ 'aria-label': showLabel, tabIndex: 0 }}
      {...props}
    />
  )
}
