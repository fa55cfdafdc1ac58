import { provinceCodes } from '../../normalization/normalization.ts'
import type { Signal } from './signal.ts'

export const province: Signal = {
  key: 'record.province',
  title: 'Province',
  type: 'choice',
  choices: [...provinceCodes.map((value) => ({ value, label: value })), { value: 'other', label: 'Other' }],
  field: 'address.province',
  datedBy: 'the newest evidence that supports the province',
  read: (record) => record.province ?? undefined,
}
