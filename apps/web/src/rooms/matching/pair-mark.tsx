import type { Business } from '@prospect/api-client'
import { createContext, useContext } from 'react'
import { DoNotContactMark } from '../../ui/prospects/do-not-contact-mark.tsx'
import { isBlocked } from './matching-words.ts'

/** Ids of the pair's records marked do not contact now. This alone is shown before the user requests the new version. */
export const BlockedIdsContext = createContext<readonly string[]>([])

export function PairMark({ of }: { of: Parameters<typeof isBlocked>[0] & Pick<Business, 'id'> }) {
  const blocked = useContext(BlockedIdsContext)
  return isBlocked(of) || blocked.includes(of.id) ? <DoNotContactMark /> : null
}
