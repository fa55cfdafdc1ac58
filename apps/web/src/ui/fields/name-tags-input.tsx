import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useListOpen } from '../layout/use-list-open.ts'
import { Name } from '../text/name.tsx'

/** Between what is pasted: commas, the cells and the lines of a table. */
const splitChars = [',', '\t', '\n', '\r']

/** Several short texts in one field; what was taken shows the characters that it hides, as everywhere else. */
export function NameTagsInput(props: TagsInputProps) {
  const list = useListOpen()
  const input = useRef<HTMLInputElement>(null)
  // Without the focus the field takes what no Enter has ended yet. A page that is left takes the focus from nobody.
  useEffect(() => {
    const takeTyped = () => input.current?.blur()
    addEventListener('pagehide', takeTyped)
    return () => removeEventListener('pagehide', takeTyped)
  }, [])
  return (
    <TagsInput
      ref={input}
      openOnFocus={false}
      splitChars={splitChars}
      {...list}
      renderPill={({ value = '', onRemove, disabled = false }) => (
        <Pill withRemoveButton={!disabled} disabled={disabled} {...(onRemove === undefined ? {} : { onRemove })}>
          <Name of={value} />
        </Pill>
      )}
      renderOption={({ option }) => <Name of={String(option.value)} />}
      {...props}
    />
  )
}
