import type { ActiveScoring } from '@prospect/api-client'
import { getActiveScoringOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../api/session.ts'

export const activeScoringQuery = getActiveScoringOptions()

export type ScoreBands = NonNullable<ActiveScoring['active']>['bands']

const noBands: ScoreBands = []

/** Bands of the active scoring version, best first. Empty while they load, without active scores, or without the permission. */
export function useScoreBands(): ScoreBands {
  const canRead = useCan('scoring.read')
  return useQuery({ ...activeScoringQuery, enabled: canRead }).data?.active?.bands ?? noBands
}
