/** The address of the list of suggestions, and of a pair opened from it: read strictly, so that a shared link shows the same. */
export type DuplicatesSearch = {
  /** absent: still to decide */
  status?: 'rejected' | 'merged' | 'superseded'
  band?: 'strong' | 'review'
  businessId?: string
  /** part of the name, e-mail, phone or domain of either record */
  q?: string
}

const statuses = ['rejected', 'merged', 'superseded'] as const
const bands = ['strong', 'review'] as const
export const MAX_SEARCH = 200

export function parseDuplicatesSearch({ status, band, businessId, q }: Record<string, unknown>): DuplicatesSearch {
  const knownStatus = statuses.find((one) => one === status)
  const knownBand = bands.find((one) => one === band)
  const ofOne = typeof businessId === 'string' && /^[\w-]{1,64}$/.test(businessId) ? { businessId } : {}
  // A number in the address, a phone say, is read as one.
  const typed = typeof q === 'string' || typeof q === 'number' ? String(q).trim() : ''
  const text = typed === '' || typed.length > MAX_SEARCH || 'businessId' in ofOne ? {} : { q: typed }
  return {
    ...(knownStatus === undefined ? {} : { status: knownStatus }),
    ...(knownBand === undefined ? {} : { band: knownBand }),
    ...ofOne,
    ...text,
  }
}
