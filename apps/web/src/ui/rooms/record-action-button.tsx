import type { ButtonProps } from '@mantine/core'
import { ActionButton } from '../actions/action-button.tsx'
import { useRecordPage } from './record-page.ts'

/** The button of an action of the open record; nothing where it is not offered. */
export function RecordActionButton({ id, ...look }: { id: string } & Omit<ButtonProps, 'children' | 'leftSection'>) {
  const action = useRecordPage().actions.find((one) => one.id === id)
  return action === undefined ? null : <ActionButton action={action} {...look} />
}
