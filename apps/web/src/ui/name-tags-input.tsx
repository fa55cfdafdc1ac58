import { Pill, TagsInput, type TagsInputProps } from '@mantine/core'
import { Name } from './name.tsx'

/** Several short texts in one field; what was taken shows the characters that it hides, as everywhere else. */
export function NameTagsInput(props: TagsInputProps) {
  return (
    <TagsInput
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
