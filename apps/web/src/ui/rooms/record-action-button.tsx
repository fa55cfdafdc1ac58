import type { ButtonProps } from '@mantine/core'
import { ActionButton } from '../actions/action-button.tsx'
import { useRecordPage } from './record-page.ts'

/** Button of an action of the open record. Renders nothing if the action is not offered. */
export function RecordActionButton({ id, ...look }: { id: string } & Omit<ButtonProps, 'children' | 'leftSection'>) {
  const action = useRecordPage().actions.find((one) => one.id === id)
  return action === undefined ? null : <ActionButton action={action} {...look} />
}
