import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tagsStartingWith } from '../../../ui/prospects/tag-queries.ts'

/** Input for one tag, with suggestions from the workspace's tags. */
export function TagField(props: AutocompleteProps) {
  const { data } = useQuery(tagsStartingWith((props.value ?? '').trim()))
  return <Autocomplete data={(data?.items ?? []).map(({ tag }) => tag)} {...props} />
}
