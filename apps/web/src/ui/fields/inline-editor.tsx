import { notifications } from '@mantine/notifications'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { refusedWith, type SaveFailure, saveFailureOf, saveFailureTitle } from '../forms/save-failure.tsx'
import classes from './inline-editor.module.css'

/** Where the focus goes next: back to what was edited, or to the next or previous field of a row. */
export type EditorStep = 'stay' | 'next' | 'previous'

type InlineEditorProps<Value> = {
  /** "City of Karoo Solar" */
  label: string
  initial: Value
  isSame: (a: Value, b: Value) => boolean
  /** Why a value cannot be saved; null if it can. */
  problemOf?: (value: Value) => string | null
  /** Rejects when the value was not saved; it then stays in the editor. */
  save: (value: Value) => Promise<void>
  close: (step: EditorStep) => void
  /** Tab saves and goes to the next field of the row. */
  isCell?: boolean
  children: (input: {
    value: Value
    onChange: (value: Value) => void
    /** Saves a value as it is chosen. */
    choose: (value: Value) => void
    isSaving: boolean
    hasFailed: boolean
  }) => ReactNode
}

const noProblem = () => null

/** One value that is edited where it stands. Enter and leaving it save, Esc cancels. A value that was not saved stays, with the reason. */
export function InlineEditor<Value>(props: InlineEditorProps<Value>) {
  const { label, initial, isSame, problemOf = noProblem, save, close, isCell = false } = props
  const [value, setValue] = useState(initial)
  // A field may complete its value while it loses the focus, before this editor sees that.
  const latest = useRef(initial)
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const root = useRef<HTMLFieldSetElement>(null)
  const isDone = useRef(false)
  const notice = `not-saved ${label}`

  useEffect(() => {
    const input = root.current?.querySelector<HTMLInputElement>('input:not([type="hidden"])')
    input?.focus()
    input?.select()
  }, [])

  const finish = (step: EditorStep): void => {
    isDone.current = true
    notifications.hide(notice)
    close(step)
  }
  const commit = async (wanted: Value, step: EditorStep): Promise<void> => {
    if (isDone.current || isSaving) return
    if (isSame(wanted, initial)) return finish(step)
    const problem = problemOf(wanted)
    if (problem !== null) return setFailure(refusedWith(problem))
    setSaving(true)
    setFailure(null)
    try {
      await save(wanted)
      finish(step)
    } catch (error) {
      setSaving(false)
      const refusal = saveFailureOf(error)
      setFailure(refusal)
      // A cell has no room for the reason. After the person left the page, only the notice still has the value.
      const isLeft = root.current === null
      if (isCell || isLeft)
        notifications.show({
          id: notice,
          color: 'red',
          title: `${saveFailureTitle(refusal)}: ${label}`,
          message: isLeft ? <Retry text={refusal.text} retry={() => void commit(wanted, step)} /> : refusal.text,
          autoClose: false,
        })
    }
  }
  const change = (next: Value): void => {
    latest.current = next
    setValue(next)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    const isListOpen = root.current?.querySelector('[aria-expanded="true"]') !== null
    if (event.key === 'Escape' && !isListOpen) {
      event.stopPropagation()
      finish('stay')
    } else if (event.key === 'Enter' && !isListOpen && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      void commit(latest.current, 'stay')
    } else if (event.key === 'Tab' && isCell) {
      event.preventDefault()
      void commit(latest.current, event.shiftKey ? 'previous' : 'next')
    }
  }
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (root.current?.contains(relatedTarget) !== true) void commit(latest.current, 'stay')
  }
  return (
    <fieldset ref={root} className={classes.editor} aria-label={label} onKeyDown={onKeyDown} onBlur={onBlur}>
      {props.children({
        value,
        isSaving,
        hasFailed: failure !== null,
        onChange: change,
        choose: (next) => {
          change(next)
          void commit(next, 'stay')
        },
      })}
      {failure !== null && !isCell && (
        <p role="alert" className={classes.failure}>
          {saveFailureTitle(failure)}. {failure.text}
        </p>
      )}
    </fieldset>
  )
}

function Retry({ text, retry }: { text: string; retry: () => void }) {
  return (
    <>
      {text}{' '}
      <button type="button" className="pp-link" onClick={retry}>
        Try again
      </button>
    </>
  )
}
