import type { SelectProps } from '@mantine/core'
import type { Role } from '@prospect/api-client'
import { Select } from '../../../ui/fields/select.tsx'
import { useRoleText } from '../accounts.queries.ts'
import { roleOptions } from '../role-options.ts'

/** Select for a role, with the description of the selected one. Accepts the input props of a form. */
export function RoleSelect(props: Omit<SelectProps<Role>, 'data' | 'allowDeselect'>) {
  const text = useRoleText(props.value ?? 'viewer')
  return <Select label="Role" data={roleOptions} description={text} {...props} />
}
