import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Action, useActions } from '../actions/actions.ts'
import { SearchForm } from '../forms/search-form.tsx'
import classes from './filters.module.css'

type Props = {
  label: string
  /** Of its button, where that is not its label. */
  buttonLabel?: string
  placeholder: string
  description?: ReactNode
  maxLength: number
  /** The text in the address. */
  q: string
  search: (q: string) => void
  /** Why the text in the address finds nothing. */
  error?: string | undefined
  /** The `/` key, in the palette and the list of shortcuts. */
  action: Pick<Action, 'id' | 'label' | 'group'>
}

/** Searches on Enter, where half a text would find nothing or something else. `/` moves the focus to it. */
export function SearchField({
  label,
  buttonLabel = label,
  placeholder,
  description,
  maxLength,
  q,
  search,
  error,
  action,
}: Props) {
  const [typed, setTyped] = useState(q)
  const input = useRef<HTMLInputElement>(null)
  // The address changed by itself (Back, "Clear filters"): show what it says.
  useEffect(() => setTyped(q), [q])
  useActions('screen', [{ ...action, keys: '/', run: () => input.current?.select() }])
  const clear = () => {
    setTyped('')
    search('')
    input.current?.focus()
  }
  return (
    <SearchForm className={classes.search} onSearch={() => search(typed)}>
      <TextInput
        ref={input}
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={placeholder}
        size="xs"
        role="searchbox"
        maxLength={maxLength}
        leftSection={<IconSearch size={14} stroke={1.7} aria-hidden />}
        rightSection={typed === '' ? null : <CloseButton size={24} aria-label="Clear search" onClick={clear} />}
        value={typed}
        error={typed === q ? error : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <Button type="submit" size="xs" variant="default">
        {buttonLabel}
      </Button>
    </SearchForm>
  )
}
