import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { IconSquare, IconSquareCheckFilled } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './value-list.module.css'

export type ListedValue = { value: string; label: string; icon?: ReactNode; detail?: string | undefined }

type Props = {
  /** Name of the input and of the list. */
  label: string
  options: readonly ListedValue[]
  chosen: readonly string[]
  /** A typed text is a value too: Enter, Escape and leaving the input add it. */
  takesText?: boolean
  /** Shown below the list. */
  hint?: string
  /** Called with the typed text if the server searches the options; otherwise they are filtered here. */
  onTyped?: ((typed: string) => void) | undefined
  isLoading?: boolean
  /** Error if the options could not be loaded. */
  error?: string | null
  /** `isAdded`: the value joins the chosen ones, or leaves them (the box of an option, Shift, a typed text). */
  choose: (value: string, isAdded: boolean) => void
  /** Called before Tab leaves the list. */
  leave: () => void
}

/** Searchable list of values, of which several can be chosen. The input has the focus, and Enter chooses the first match of the typed text. */
export function ValueList(props: Props) {
  const { label, options, chosen, takesText = false, isLoading = false } = props
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ opened: true })
  const isAdded = useRef(false)
  // A choice can close the popover and so blur the input before the next render.
  const isChosen = useRef(false)
  const text = typed.trim()
  const found =
    props.onTyped === undefined
      ? options.filter((option) => option.label.toLowerCase().includes(text.toLowerCase()))
      : options
  const isNew = takesText && text !== '' && !found.some(({ value }) => value === text)
  const shown = isNew ? [{ value: text, label: `“${text}”`, detail: 'as typed' }, ...found] : found
  // Enter selects the first match of the typed text.
  const first = text === '' ? undefined : shown[0]?.value
  const { selectFirstOption, resetSelectedOption } = combobox
  // Id of the option that Enter would select before an arrow key is pressed. Mantine sets `aria-activedescendant` only for options chosen with
  // arrows.
  const [firstId, setFirstId] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each letter, also after an arrow key
  useEffect(() => {
    if (first === undefined) resetSelectedOption()
    setFirstId(first === undefined ? null : selectFirstOption())
  }, [typed, first, selectFirstOption, resetSelectedOption])

  const type = (next: string): void => {
    isChosen.current = false
    setTyped(next)
    props.onTyped?.(next)
  }
  const choose = (value: string, adds: boolean): void => {
    type('')
    isChosen.current = true
    props.choose(value, adds)
  }
  /** A typed text that was not ended with Enter is a value as well, or names one. */
  const acceptTyped = (): void => {
    if (isChosen.current) return
    const named = takesText ? text : found.find((option) => option.label.toLowerCase() === text.toLowerCase())?.value
    if (named !== undefined && named !== '' && !chosen.includes(named)) choose(named, true)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event
    isAdded.current = shiftKey
    if (key === 'ArrowDown' || key === 'ArrowUp') setFirstId(null)
    if (key === 'Tab' && !shiftKey) props.leave()
    if (key === 'Backspace' && typed === '' && takesText) {
      const last = chosen.at(-1)
      if (last !== undefined) choose(last, true)
    }
  }
  const onMouseDown = ({ target, shiftKey }: MouseEvent): void => {
    isAdded.current = shiftKey || (target instanceof Element && target.closest(`.${classes.box}`) !== null)
  }

  return (
    <Combobox store={combobox} onOptionSubmit={(value) => choose(value, isAdded.current || takesText)}>
      <Combobox.EventsTarget withAriaAttributes={false}>
        <TextInput
          data-autofocus
          size="xs"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={acceptTyped}
          placeholder={takesText ? 'Type a value and press Enter' : 'Search'}
          aria-label={label}
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={combobox.listId ?? undefined}
          {...(firstId !== null && { 'aria-activedescendant': firstId })}
          rightSection={isLoading ? <Loader size={14} /> : null}
        />
      </Combobox.EventsTarget>
      <Combobox.Options
        className={classes.options}
        aria-label={label}
        aria-multiselectable
        onMouseDownCapture={onMouseDown}
      >
        {shown.map(({ value, label: name, icon, detail }) => (
          <Combobox.Option key={value} value={value} aria-selected={chosen.includes(value)}>
            <span className={classes.option}>
              <span className={classes.box} aria-hidden>
                {chosen.includes(value) ? <IconSquareCheckFilled size={18} /> : <IconSquare size={18} stroke={1.5} />}
              </span>
              {icon}
              <span>{name}</span>
              {detail !== undefined && <span className={classes.detail}>{detail}</span>}
            </span>
          </Combobox.Option>
        ))}
        {shown.length === 0 && !isLoading && !takesText && (
          <Combobox.Empty>{props.error ?? 'No results'}</Combobox.Empty>
        )}
      </Combobox.Options>
      {props.hint !== undefined && <Combobox.Footer c="dimmed">{props.hint}</Combobox.Footer>}
    </Combobox>
  )
}
