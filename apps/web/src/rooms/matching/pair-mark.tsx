import type { Business } from '@prospect/api-client'
import { createContext, useContext } from 'react'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { isBlocked } from './matching-words.ts'

/** Of the pair on screen, the ids that are do not contact by now: that alone is shown as it comes. */
export const BlockedIdsContext = createContext<readonly string[]>([])

export function PairMark({ of }: { of: Parameters<typeof isBlocked>[0] & Pick<Business, 'id'> }) {
  const blocked = useContext(BlockedIdsContext)
  return isBlocked(of) || blocked.includes(of.id) ? <DoNotContactMark /> : null
}
