import { type ComponentPropsWithRef, useState } from 'react'

/**
 * Button that is used everywhere. If it becomes disabled while it has the focus, as buttons do during a request, it keeps the focus and ignores
 * clicks. A natively disabled button would lose the focus to the page, and a keyboard user would start at the top.
 */
export function FocusKeepingButton(given: ComponentPropsWithRef<'button'>) {
  const { disabled = false, type, onClick, onFocus, onBlur, ...props } = given
  const [hasFocus, setHasFocus] = useState(false)
  return (
    <button
      {...props}
      // Mantine passes `undefined`, which a browser treats as `submit`.
      type={type ?? 'button'}
      disabled={disabled && !hasFocus}
      aria-disabled={disabled || props['aria-disabled']}
      onFocus={(event) => {
        setHasFocus(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setHasFocus(false)
        onBlur?.(event)
      }}
      onClick={(event) => {
        // For a submit button, this also prevents submission by Enter in a field.
        if (disabled) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
