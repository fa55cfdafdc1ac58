import type { SelectProps } from '@mantine/core'
import { listPhoneCountriesOptions } from '@prospect/api-client/query'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countryOptions, findCountries } from '../text/countries.ts'
import { Select } from './select.tsx'

/** The countries whose local phone formats the API reads. The list changes only with a release. */
export const phoneCountriesQuery = queryOptions({
  ...listPhoneCountriesOptions(),
  staleTime: Number.POSITIVE_INFINITY,
})

type Props = Omit<SelectProps, 'data' | 'value' | 'searchable' | 'filter' | 'allowDeselect'> & { value: string | null }

/** Select of all countries, searchable by name, code or calling code. */
export function CountrySelect({ value, ...props }: Props) {
  const { data: known, isError } = useQuery(phoneCountriesQuery)
  const data = useMemo(() => countryOptions(known?.countries ?? [], value), [known, value])
  return (
    <Select
      data={data}
      value={value}
      searchable
      filter={({ search }) => findCountries(data, search)}
      nothingFoundMessage={isError ? 'Could not load the countries.' : 'No such country'}
      {...props}
    />
  )
}
