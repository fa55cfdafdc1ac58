import { Combobox, Loader, useCombobox } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './filter-chip.module.css'

export type FilterOption = { value: string; label: string; icon?: ReactNode }

type FilterChipProps = {
  /** Name of the filtered field, for the button and the list. */
  name: string
  /** The filter as text; null while the user is choosing. */
  words: string | null
  value: string | undefined
  options: readonly FilterOption[]
  /** Called with the typed text if the server searches the options; otherwise they are filtered here. */
  onTyped?: (typed: string) => void
  isLoading?: boolean
  /** Error if the options could not be loaded. */
  error?: string | null
  onChange: (value: string) => void
  onClear: () => void
  startOpen: boolean
  /** Called when the list was closed without a choice. */
  onClose: () => void
  /** A further way to filter by this field, below the options. */
  more?: { label: string; run: () => void } | undefined
}

/** One filter, shown as part of a sentence. A click opens its options; another button removes it. */
export function FilterChip(props: FilterChipProps) {
  const { name, words, value, options } = props
  const [typed, setTyped] = useState('')
  // True once an option was chosen: the chip then stays while the filter is being applied, and keeps the focus.
  const isChosen = useRef(false)
  const combobox = useCombobox({
    defaultOpened: props.startOpen,
    onDropdownClose: (source) => {
      combobox.resetSelectedOption()
      setTyped('')
      if (source === 'keyboard') combobox.focusTarget()
      if (!isChosen.current) props.onClose()
      isChosen.current = false
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses once, when the form opens
  useEffect(() => {
    if (props.startOpen) combobox.focusSearchInput()
  }, [])
  const shown =
    props.onTyped === undefined
      ? options.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
      : options
  // Enter selects the first match of the typed text.
  const first = typed.trim() === '' ? undefined : shown[0]?.value
  const { selectFirstOption, resetSelectedOption } = combobox
  // Id of the option that Enter would select before an arrow key is pressed. Mantine sets `aria-activedescendant` only for options chosen with
  // arrows.
  const [firstId, setFirstId] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each letter, also after an arrow key
  useEffect(() => {
    if (first === undefined) resetSelectedOption()
    setFirstId(first === undefined ? null : selectFirstOption())
  }, [typed, first, selectFirstOption, resetSelectedOption])
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowDown' || key === 'ArrowUp') setFirstId(null)
    if (key !== 'Tab') return
    // The list is rendered at the end of the page: move the focus back to the chip first, so that Tab continues from there and does not leave the
    // page.
    combobox.targetRef.current?.focus()
    combobox.closeDropdown()
  }

  return (
    <span className={classes.chip}>
      <Combobox
        store={combobox}
        width={240}
        position="bottom-start"
        shadow="md"
        onOptionSubmit={(next) => {
          isChosen.current = true
          props.onChange(next)
          combobox.closeDropdown('keyboard')
        }}
      >
        <Combobox.Target withAriaAttributes={false}>
          <button
            type="button"
            className={classes.words}
            aria-haspopup="listbox"
            aria-expanded={combobox.dropdownOpened}
            aria-label={words === null ? name : `${name}: ${words}`}
            onClick={() => combobox.toggleDropdown()}
          >
            {words ?? `${name} …`}
          </button>
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Search
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              props.onTyped?.(event.currentTarget.value)
            }}
            onKeyDown={onKeyDown}
            placeholder={name}
            aria-label={name}
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-autocomplete="list"
            {...(firstId !== null && { 'aria-activedescendant': firstId })}
            rightSection={props.isLoading === true ? <Loader size={14} /> : null}
          />
          <Combobox.Options mah={280} className={classes.options} aria-label={name}>
            {shown.map((option) => (
              <Combobox.Option
                key={option.value}
                value={option.value}
                active={option.value === value}
                aria-selected={option.value === value}
              >
                <span className={classes.option}>
                  {option.icon}
                  <span>{option.label}</span>
                  {option.value === value && <IconCheck size={14} stroke={2} aria-hidden />}
                </span>
              </Combobox.Option>
            ))}
            {shown.length === 0 && props.isLoading !== true && (
              <Combobox.Empty>{props.error ?? 'No results'}</Combobox.Empty>
            )}
          </Combobox.Options>
          {props.more !== undefined && (
            <Combobox.Footer>
              <button
                type="button"
                className={classes.more}
                onClick={() => {
                  combobox.closeDropdown()
                  props.more?.run()
                }}
              >
                {props.more.label}
              </button>
            </Combobox.Footer>
          )}
        </Combobox.Dropdown>
      </Combobox>
      {words !== null && <ClearFilter words={words} onClear={props.onClear} />}
    </span>
  )
}

export function ClearFilter({ words, onClear }: { words: string; onClear: () => void }) {
  return (
    <button type="button" className={classes.clear} aria-label={`Remove the filter “${words}”`} onClick={onClear}>
      <IconX size={13} stroke={2} aria-hidden />
    </button>
  )
}
