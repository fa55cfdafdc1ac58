/** The address of the history of merges. */
export type MergesSearch = { status?: 'merged' | 'reversed'; businessId?: string }

const statuses = ['merged', 'reversed'] as const

export function parseMergesSearch({ status, businessId }: Record<string, unknown>): MergesSearch {
  const known = statuses.find((one) => one === status)
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(typeof businessId === 'string' && /^[\w-]{1,64}$/.test(businessId) ? { businessId } : {}),
  }
}
