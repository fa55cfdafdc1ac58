import type { SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { phoneCountriesQuery } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { lawName } from './draft-words.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'searchable' | 'label'> & { value?: string }

/** Select of the country whose law applies, or of the European Union. The value is the code of the API, in lower case. */
export function LawSelect({ value = '', ...props }: Props) {
  const { data: known } = useQuery(phoneCountriesQuery)
  const codes = new Set([
    'eu',
    ...(value === '' ? [] : [value]),
    ...(known?.countries ?? []).map(({ code }) => code.toLowerCase()),
  ])
  const data = [...codes]
    .map((code) => ({ value: code, label: lawName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return (
    <Select
      label="Country whose law applies"
      data={data}
      value={value === '' ? null : value}
      searchable
      required
      nothingFoundMessage="No such country"
      {...props}
    />
  )
}
