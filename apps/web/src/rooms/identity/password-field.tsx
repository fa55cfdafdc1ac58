import { PasswordInput, type PasswordInputProps } from '@mantine/core'

type Props = PasswordInputProps & {
  /** accessible name of the button that shows the typed password */
  showLabel?: string
}

/** A password input whose button can be reached by keyboard. Mantine's `PasswordInput` leaves out `aria-invalid`, unlike its other inputs. */
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
