import type { SelectProps } from '@mantine/core'
import type { Role } from '@prospect/api-client'
import { Select } from '../../../ui/fields/select.tsx'
import { useRoleText } from '../accounts.queries.ts'
import { roleOptions } from '../role-options.ts'

/** A role, with a sentence about the chosen one. Takes the input props of a form. */
export function RoleSelect(props: Omit<SelectProps<Role>, 'data' | 'allowDeselect'>) {
  const text = useRoleText(props.value ?? 'viewer')
  return <Select label="Role" data={roleOptions} description={text} {...props} />
}
