import type { KeyboardEvent, ReactNode } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { DraftNote } from './draft-hint.tsx'
import { NotSaved } from './save-failure.tsx'
import type { SaveForm as SaveFormState } from './use-save-form.ts'

const Conflicts = lazyPart('form-conflicts', () => import('./conflicts.tsx').then((module) => module.Conflicts))

type Props<Values extends Record<string, unknown>> = {
  save: SaveFormState<Values>
  children: ReactNode
  /** Buttons of the form; one of them must have `type="submit"`. */
  actions: ReactNode
  'aria-label'?: string
  'aria-labelledby'?: string
  className?: string | undefined
  tabIndex?: number
  /** Replaces the default, which submits on Ctrl/Cmd+Enter. */
  onKeyDown?: (event: KeyboardEvent<HTMLFormElement>) => void
  /** Replaces the default alert above the buttons; null shows none. */
  failure?: ReactNode
  /** Link to the page where the values appear if they were saved, for the alert about an unknown result. */
  look?: ReactNode
}

/** The form element of every form: fields, an alert and buttons. Ctrl/Cmd+Enter submits it. */
export function SaveForm<Values extends Record<string, unknown>>(props: Props<Values>) {
  const { save, children, actions, failure, look, ...more } = props
  return (
    <form {...save.formProps} {...more}>
      <DraftNote draft={save.restored} />
      {children}
      {save.conflicts.length > 0 && <Conflicts conflicts={save.conflicts} />}
      {failure === undefined ? <NotSaved failure={save.failure} isAction={save.isAction} look={look} /> : failure}
      {actions}
    </form>
  )
}
