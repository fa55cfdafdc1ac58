import { notifications } from '@mantine/notifications'
import type { Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import { type LinkProps, type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useSession } from '../api/session.ts'

/** A command that the user can run. Its button, menu item, palette entry, shortcut and line in the list of shortcuts all come from this object. */
export type Action = {
  id: string
  label: string
  /** Label of the button, where the surrounding screen makes the long one redundant. */
  shortLabel?: string
  /** Heading above the action in the palette and in the list of shortcuts. */
  group: string
  Icon?: ComponentType<IconProps>
  /** Shortcut: 'n', '?', 'Enter'; 'g p' for two keys in sequence; 'mod+k' for Ctrl or Cmd. */
  keys?: string
  /** Additional search terms in the palette. */
  keywords?: string
  /** False for actions that only have a shortcut, such as moving in a list. */
  inPalette?: boolean
  /** Permission that the action requires; undefined if everybody may run it. Without the permission it is offered nowhere. */
  permission?: Permission
  /** true: the action is not offered. A text: the action is offered but disabled, with this reason. */
  unavailable?: boolean | string
  isBusy?: boolean
  isDangerous?: boolean
  /** The action opens a dialog before it changes anything; its button label ends in an ellipsis. */
  asksMore?: boolean
} & ({ run: () => void } | Target)

/** Destination of an action that navigates. */
type Target = { to: NonNullable<LinkProps['to']>; params?: Record<string, string>; search?: Record<string, unknown> }

/** An action with `run`, as the palette and the keyboard call it. */
export type RunnableAction = Action & { run: () => void }

/** Layers of actions, innermost first. For the same keys, an open record takes precedence over its list, and every screen over the frame. */
const layers = ['record', 'screen', 'frame'] as const
export type Layer = (typeof layers)[number]

type Registration = { layer: Layer; read: () => readonly RunnableAction[] }
const registry = new Map<string, Registration>()

/** Registers actions while the component is mounted. They are registered before the first paint, so every visible action responds to its keys. */
export function useActions(layer: Layer, actions: readonly Action[]): void {
  const id = useId()
  const navigate = useNavigate()
  const { permissions } = useSession()
  const offered = actions
    .filter((action) => isOffered(action, permissions))
    .map((action) => ({ ...action, run: 'run' in action ? action.run : () => void navigate(targetOf(action)) }))
  const latest = useRef(offered)
  useLayoutEffect(() => {
    latest.current = offered
  })
  useLayoutEffect(() => {
    registry.set(id, { layer, read: () => latest.current })
    return () => {
      registry.delete(id)
    }
  }, [id, layer])
  const keys = offered.map((action) => action.keys).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks each set of keys once, after all components of this render have registered
  useEffect(() => {
    for (const clash of keyClashes(actionsOf(layer)))
      reportError(new Error(`Action keys clash in the layer ${layer}: ${clash}`))
  }, [layer, keys])
}

/**
 * Address of a target, for the router. The cast is needed because the router types parameters per address, which an action knows only at run time.
 */
export const targetOf = ({ to, params, search }: Target) => ({ to, params, search }) as NavigateOptions & LinkProps

type Offer = Pick<Action, 'permission' | 'unavailable'>

export function isOffered({ permission, unavailable }: Offer, permissions: readonly Permission[]): boolean {
  return unavailable !== true && (permission === undefined || permissions.includes(permission))
}

/** Reason why an action is unavailable now, or null if it can run. */
export const reasonAgainst = ({ unavailable }: Action): string | null =>
  typeof unavailable === 'string' ? unavailable : null

/** Runs an action, or shows the reason why it is unavailable. An action that is running does not start again. */
export function perform(action: RunnableAction): void {
  const reason = reasonAgainst(action)
  if (action.isBusy === true) return
  if (reason === null) action.run()
  else showReason(action, reason)
}

export function showReason({ id }: Action, reason: string): void {
  notifications.show({ id: `unavailable-${id}`, message: reason })
}

/** Returns all offered actions, innermost layer first. */
export function currentActions(): RunnableAction[] {
  return layers.flatMap(actionsOf)
}

function actionsOf(layer: Layer): RunnableAction[] {
  return [...registry.values()].filter((one) => one.layer === layer).flatMap(({ read }) => [...read()])
}

/** Reports actions of one layer that share a shortcut: only one of them would ever run. */
export function keyClashes(actions: readonly Pick<Action, 'id' | 'keys'>[]): string[] {
  const byKeys = Map.groupBy(
    actions.filter(({ keys }) => keys !== undefined),
    ({ keys }) => keys,
  )
  return [...byKeys]
    .filter(([, same]) => same.length > 1)
    .map(([keys, same]) => `${keys} runs ${same.map(({ id }) => id).join(' and ')}`)
}
