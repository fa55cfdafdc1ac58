import { notifications } from '@mantine/notifications'
import { nameText } from '../../ui/name-text.ts'

/** For whoever has left the place that asked for a move before it was refused. It stays until it is dismissed, on whatever page. */
export function tellNotMoved(name: string, refusal: string): void {
  notifications.show({ color: 'red', title: `Not moved: ${nameText(name)}`, message: refusal, autoClose: false })
}
