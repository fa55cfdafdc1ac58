import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Action, useActions } from '../actions/actions.ts'
import { SearchForm } from '../forms/search-form.tsx'
import classes from './filters.module.css'

type Props = {
  label: string
  /** Label of the button if it differs from `label`. */
  buttonLabel?: string
  placeholder: string
  description?: ReactNode
  maxLength: number
  /** Search text in the address. */
  q: string
  search: (q: string) => void
  /** Reason why the text in the address has no results. */
  error?: string | undefined
  /** Action of the `/` key, for the palette and the list of shortcuts. */
  action: Pick<Action, 'id' | 'label' | 'group'>
}

/** Search field that searches on Enter, because partial text would give no or wrong results. `/` moves the focus to it. */
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
  // Follow changes of the address from outside, such as Back or "Clear filters".
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
