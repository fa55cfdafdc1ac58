import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import { Name } from './name.tsx'
import { useListOpen } from './use-list-open.ts'

/** Several short texts in one field; what was taken shows the characters that it hides, as everywhere else. */
export function NameTagsInput(props: TagsInputProps) {
  const list = useListOpen()
  return (
    <TagsInput
      openOnFocus={false}
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
