import { useSession } from '../api/session.ts'
import { useStored } from '../forms/use-stored.ts'

const isOnUnlessSwitchedOff = (kept: unknown): boolean => kept !== false

/**
 * Whether letters and signs by themselves run commands, as this person wants it in this browser: whoever dictates, or comes upon keys by
 * chance, can do without them (WCAG 2.1.4).
 */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return useStored(`prospect-single-keys:${useSession().user.id}`, isOnUnlessSwitchedOff)
}
