import type { KeyboardEvent, ReactNode } from 'react'
import { NotSaved } from './save-failure.tsx'
import type { SaveForm as SaveFormState } from './use-save-form.ts'

type Props<Values extends Record<string, unknown>> = {
  save: SaveFormState<Values>
  children: ReactNode
  /** The buttons: one of them has `type="submit"`. */
  actions: ReactNode
  'aria-label'?: string
  'aria-labelledby'?: string
  className?: string | undefined
  tabIndex?: number
  /** In place of Ctrl/Cmd-Enter alone. */
  onKeyDown?: (event: KeyboardEvent<HTMLFormElement>) => void
  /** In place of the usual alert above the buttons; null shows none. */
  failure?: ReactNode
  /** In an alert that the values may be saved: where to look for them. */
  look?: ReactNode
}

/** The one form element: fields, one alert, buttons. Ctrl/Cmd-Enter sends it. */
export function SaveForm<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { save, children, actions, failure, look, ...more } = props
  return (
    <form {...save.formProps} {...more}>
      {children}
      {failure === undefined ? <NotSaved failure={save.failure} isAction={save.isAction} look={look} /> : failure}
      {actions}
    </form>
  )
}
