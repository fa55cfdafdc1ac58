import { useEffect, useState } from 'react'

/** By when a form that was refused has put the focus where something is to be mended. */
const settleMs = 150

/**
 * Tells what is wrong with a field that had the focus before it was refused and has it still. One that is come to is read out with its
 * error; in the only field of a dialog that is sent blank nothing would be heard.
 */
export function RefusalAnnouncer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let held: Element | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = (): void => {
      if (held !== null && held === document.activeElement) setText(errorOf(held))
    }
    const tellSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(tell, settleMs)
    }
    const onSubmit = (): void => {
      held = document.activeElement
      // Empty in between, or the same error would not be told again.
      setText('')
      tellSoon()
    }
    const onFocusIn = (): void => {
      held = null
    }
    const refusals = new MutationObserver(tellSoon)
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

/** What its form says beside it, unless that tells itself. */
function errorOf(field: Element): string {
  if (field.getAttribute('aria-invalid') !== 'true') return ''
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id.endsWith('-error'))
  const errors = ids
    .map((id) => document.getElementById(id))
    .filter((error) => error?.closest('[role="alert"]') === null)
  return errors.map((error) => error?.textContent ?? '').join(' ')
}
