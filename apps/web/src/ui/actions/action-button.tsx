import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { type Action, isOffered, reasonAgainst, showReason, targetOf } from './actions.ts'

type Props = Omit<ButtonProps, 'children' | 'leftSection' | 'loading' | 'onClick'> & {
  action: Action
  iconSize?: number
}

/**
 * Button of an action. Renders nothing if the user lacks the permission; if the action is unavailable, the button is disabled and shows the reason.
 */
export function ActionButton({ action, iconSize = 15, ...look }: Props) {
  const { permissions } = useSession()
  if (!isOffered(action, permissions)) return null
  const { label, shortLabel = label, Icon, asksMore, isBusy } = action
  const reason = reasonAgainst(action)
  const face = {
    ...look,
    ...(Icon !== undefined && { leftSection: <Icon size={iconSize} stroke={1.7} aria-hidden /> }),
    children: asksMore ? `${shortLabel}…` : shortLabel,
  }
  if ('to' in action && reason === null)
    return <Button {...face} renderRoot={(props) => <Link {...props} {...targetOf(action)} />} />
  // The element stays the same in both states and is never `disabled`: a button whose action becomes unavailable keeps the focus.
  return (
    <Button
      {...face}
      loading={isBusy ?? false}
      {...(reason !== null && { 'data-disabled': true, 'aria-disabled': true, title: reason })}
      onClick={() => {
        if (reason !== null) showReason(action, reason)
        else if ('run' in action) action.run()
      }}
    />
  )
}
