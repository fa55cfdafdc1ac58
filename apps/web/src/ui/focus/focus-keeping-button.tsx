import { type ComponentPropsWithRef, useState } from 'react'

/**
 * The element of every button. One that is disabled while it has the focus, as all are that wait for the server, keeps it and does
 * nothing: a browser takes the focus from a disabled button to the page, and a person with a keyboard would begin there again.
 */
export function FocusKeepingButton(given: ComponentPropsWithRef<'button'>) {
  const { disabled = false, type, onClick, onFocus, onBlur, ...props } = given
  const [hasFocus, setHasFocus] = useState(false)
  return (
    <button
      {...props}
      // The library hands in `undefined`, with which a browser would send the form.
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
        // Of a form's button this also holds back what Enter in one of its fields would send.
        if (disabled) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
