import { IconPlus } from '@tabler/icons-react'
import type { Action } from '../../ui/actions/actions.ts'

export const newProspect: Action = {
  id: 'new-prospect',
  label: 'New prospect',
  group: 'Create',
  Icon: IconPlus,
  keys: 'c',
  keywords: 'add business company',
  permission: 'businesses.write',
  to: '/prospects/new',
}
