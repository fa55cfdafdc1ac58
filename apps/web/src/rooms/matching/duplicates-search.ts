/** The address of the list of suggestions, and of a pair opened from it: read strictly, so that a shared link shows the same. */
export type DuplicatesSearch = {
  /** absent: still to decide */
  status?: 'rejected' | 'merged' | 'superseded'
  band?: 'strong' | 'review'
  businessId?: string
}

const statuses = ['rejected', 'merged', 'superseded'] as const
const bands = ['strong', 'review'] as const

export function parseDuplicatesSearch({ status, band, businessId }: Record<string, unknown>): DuplicatesSearch {
  const knownStatus = statuses.find((one) => one === status)
  const knownBand = bands.find((one) => one === band)
  return {
    ...(knownStatus === undefined ? {} : { status: knownStatus }),
    ...(knownBand === undefined ? {} : { band: knownBand }),
    ...(typeof businessId === 'string' && /^[\w-]{1,64}$/.test(businessId) ? { businessId } : {}),
  }
}
