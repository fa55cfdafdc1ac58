import { notifications } from '@mantine/notifications'
import type { Permission } from '@prospect/api-client'
import type { IconProps } from '@tabler/icons-react'
import { type LinkProps, type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { type ComponentType, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { useSession } from '../api/session.ts'

/** Something a person can do. Its button, menu item, palette entry, shortcut and line in the list of shortcuts all come from here. */
export type Action = {
  id: string
  label: string
  /** On a button, where the screen says the rest. */
  shortLabel?: string
  /** Its heading in the palette and in the list of shortcuts. */
  group: string
  Icon?: ComponentType<IconProps>
  /** 'n', '?', 'Enter', 'g p' for one after the other, 'mod+k' for Ctrl or Cmd. */
  keys?: string
  /** More words for the palette. */
  keywords?: string
  /** false: only a shortcut, such as moving in a list. */
  inPalette?: boolean
  /** Absent: everybody may do it. Without the permission it is offered nowhere. */
  permission?: Permission
  /** true: not offered here. A text: offered, but it only says why it cannot be done now. */
  unavailable?: boolean | string
  isBusy?: boolean
  isDangerous?: boolean
  /** It asks for more before it does anything: its button ends in an ellipsis. */
  asksMore?: boolean
} & ({ run: () => void } | Target)

/** Where an action leads. */
type Target = { to: NonNullable<LinkProps['to']>; params?: Record<string, string>; search?: Record<string, unknown> }

/** An action as the palette and the keyboard run it. */
export type RunnableAction = Action & { run: () => void }

/** From the innermost: for the same keys the record beside a list comes before the list, and any screen before the frame. */
const layers = ['record', 'screen', 'frame'] as const
export type Layer = (typeof layers)[number]

type Registration = { layer: Layer; read: () => readonly RunnableAction[] }
const registry = new Map<string, Registration>()

/** Offers actions while the component is mounted, from before its first paint: a person who sees it can press its keys. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each set of keys, when all components of this render have registered
  useEffect(() => {
    for (const clash of keyClashes(actionsOf(layer)))
      reportError(new Error(`Action keys clash in the layer ${layer}: ${clash}`))
  }, [layer, keys])
}

/** The address alone. The router's types tie parameters to one address, which an action only knows at run time. */
export const targetOf = ({ to, params, search }: Target) => ({ to, params, search }) as NavigateOptions & LinkProps

type Offer = Pick<Action, 'permission' | 'unavailable'>

export function isOffered({ permission, unavailable }: Offer, permissions: readonly Permission[]): boolean {
  return unavailable !== true && (permission === undefined || permissions.includes(permission))
}

/** Why an action cannot be done now; null: it can. */
export const reasonAgainst = ({ unavailable }: Action): string | null =>
  typeof unavailable === 'string' ? unavailable : null

/** Runs an action, or shows why it cannot be done now. */
export function perform(action: RunnableAction): void {
  const reason = reasonAgainst(action)
  if (reason === null) action.run()
  else showReason(action, reason)
}

export function showReason({ id }: Action, reason: string): void {
  notifications.show({ id: `unavailable-${id}`, message: reason })
}

/** All offered actions, innermost layer first. */
export function currentActions(): RunnableAction[] {
  return layers.flatMap(actionsOf)
}

function actionsOf(layer: Layer): RunnableAction[] {
  return [...registry.values()].filter((one) => one.layer === layer).flatMap(({ read }) => [...read()])
}

/** Two actions of one layer with the same keys: only one of them would ever run. */
export function keyClashes(actions: readonly Pick<Action, 'id' | 'keys'>[]): string[] {
  const byKeys = Map.groupBy(
    actions.filter(({ keys }) => keys !== undefined),
    ({ keys }) => keys,
  )
  return [...byKeys]
    .filter(([, same]) => same.length > 1)
    .map(([keys, same]) => `${keys} runs ${same.map(({ id }) => id).join(' and ')}`)
}
