import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useListOpen } from '../layout/use-list-open.ts'
import { Name } from '../text/name.tsx'

/** Separators in pasted text: commas, and the tabs and line breaks of a table. */
const splitChars = [',', '\t', '\n', '\r']

/** Input of several short texts. Accepted tags show invisible characters, as all text in the app does. */
export function NameTagsInput(props: TagsInputProps) {
  const list = useListOpen()
  const input = useRef<HTMLInputElement>(null)
  // On blur the field accepts text that was not ended with Enter. Leaving the page does not blur, so do it here.
  useEffect(() => {
    const acceptTyped = () => input.current?.blur()
    addEventListener('pagehide', acceptTyped)
    return () => removeEventListener('pagehide', acceptTyped)
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
