import { useEffect, useState } from 'react'

/** Delay after which a form has moved the focus to its first invalid field. */
const settleMs = 150

/**
 * Announces the error of a field that had the focus when its form was submitted and still has it. Screen readers read the error of a newly focused
 * field by themselves, but not of one that stays focused, such as the only field of a dialog.
 */
export function RefusalAnnouncer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let focusedAtSubmit: Element | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const announce = (): void => {
      if (focusedAtSubmit !== null && focusedAtSubmit === document.activeElement) setText(errorOf(focusedAtSubmit))
    }
    const announceSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(announce, settleMs)
    }
    const onSubmit = (): void => {
      focusedAtSubmit = document.activeElement
      // Clear first: an identical text would not be announced again.
      setText('')
      announceSoon()
    }
    const onFocusIn = (): void => {
      focusedAtSubmit = null
    }
    const refusals = new MutationObserver(announceSoon)
    refusals.observe(document.body, { subtree: true, attributeFilter: ['aria-invalid'] })
    document.addEventListener('submit', onSubmit, true)
    document.addEventListener('focusin', onFocusIn)
    return () => {
      clearTimeout(timer)
      refusals.disconnect()
      document.removeEventListener('submit', onSubmit, true)
      document.removeEventListener('focusin', onFocusIn)
    }
  }, [])
  return (
    <p role="status" className="pp-visually-hidden">
      {text}
    </p>
  )
}

/** Error text of a field, unless that text is itself an alert. */
function errorOf(field: Element): string {
  if (field.getAttribute('aria-invalid') !== 'true') return ''
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id.endsWith('-error'))
  const errors = ids
    .map((id) => document.getElementById(id))
    .filter((error) => error?.closest('[role="alert"]') === null)
  return errors.map((error) => error?.textContent ?? '').join(' ')
}
