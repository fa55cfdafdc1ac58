import type { ActiveScoring } from '@prospect/api-client'
import { getActiveScoringOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../api/session.ts'

export const activeScoringQuery = getActiveScoringOptions()

export type ScoreBands = NonNullable<ActiveScoring['active']>['bands']

const none: ScoreBands = []

/** The bands of the active version, best first; none while they are read, without active scores, or without the permission. */
export function useScoreBands(): ScoreBands {
  const canRead = useCan('scoring.read')
  return useQuery({ ...activeScoringQuery, enabled: canRead }).data?.active?.bands ?? none
}
