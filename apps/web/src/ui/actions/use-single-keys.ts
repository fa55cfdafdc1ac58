import { useSession } from '../api/session.ts'
import { useStored } from '../forms/use-stored.ts'

const isOnUnlessSwitchedOff = (kept: unknown): boolean => kept !== false

/**
 * The user's setting, stored in this browser, for shortcuts of a single character. People who dictate or press keys by accident can switch them off
 * (WCAG 2.1.4).
 */
export function useSingleKeys(): [boolean, (isOn: boolean) => void] {
  return useStored(`prospect-single-keys:${useSession().user.id}`, isOnUnlessSwitchedOff)
}
