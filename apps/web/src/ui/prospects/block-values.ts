/** The contact values of a prospect that are blocked everywhere together with the prospect. */
import type { BlockBusinessData, ValuesToSuppress } from '@prospect/api-client'
import { getValuesToSuppressOptions } from '@prospect/api-client/query'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useCan } from '../api/session.ts'

export type BlockValue = ValuesToSuppress['items'][number]
export type AlsoSuppress = NonNullable<BlockBusinessData['body']['alsoSuppress']>

const valuesQuery = (businessId: string) => getValuesToSuppressOptions({ path: { businessId } })

/** Identifies a value of a prospect in the form. */
export const valueKey = ({ kind, value }: Pick<BlockValue, 'kind' | 'value'>): string => `${kind} ${value}`

/** True if an entry for the value can be added. */
export const canBlock = ({ refusal, isSuppressed }: BlockValue): boolean => refusal === null && !isSuppressed

/**
 * True if the value is selected. Addresses and phones are selected at first; a domain is not, because it blocks everybody at it. `toggled`: keys of the
 * values that the person changed.
 */
export function isChosen(value: BlockValue, toggled: readonly string[]): boolean {
  return canBlock(value) && (value.kind !== 'domain') !== toggled.includes(valueKey(value))
}

/** A domain is blocked with everything below it. */
const scopeOf = (kind: BlockValue['kind']) => (kind === 'domain' ? { scope: 'with_subdomains' as const } : {})

/** Returns the selected values for the API. */
export function chosenValues(values: readonly BlockValue[], toggled: readonly string[]): AlsoSuppress {
  return values
    .filter((value) => isChosen(value, toggled))
    .map(({ kind, value }) => ({ kind, value, ...scopeOf(kind) }))
}

/** Reads selected values that were stored with an attempt to send them. Returns null if they do not fit. */
export function parseAlsoSuppress(stored: unknown): AlsoSuppress | null {
  if (!Array.isArray(stored)) return null
  const values = stored.flatMap((one: unknown): AlsoSuppress => {
    if (typeof one !== 'object' || one === null || !('kind' in one) || !('value' in one)) return []
    const { kind, value } = one
    if ((kind !== 'email' && kind !== 'phone' && kind !== 'domain') || typeof value !== 'string') return []
    return [{ kind, value, ...scopeOf(kind) }]
  })
  return values.length === stored.length ? values : null
}

export type BlockValues = {
  /** Empty for a person who may not suppress values. */
  items: readonly BlockValue[]
  canSuppress: boolean
  isComplete: boolean
  isLoading: boolean
  error: unknown
  retry: () => void
}

/** Reads the values of a prospect. `isWanted`: false while the person has not asked for the block. */
export function useBlockValues(businessId: string, isWanted = true): BlockValues {
  const canSuppress = useCan('suppression.add')
  const { data, isPending, error, refetch } = useQuery({
    ...valuesQuery(businessId),
    enabled: canSuppress && isWanted,
    // A form must not select values of an earlier visit.
    staleTime: 0,
  })
  return {
    items: data?.items ?? [],
    canSuppress,
    isComplete: data?.isComplete ?? true,
    isLoading: canSuppress && isPending,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  }
}

/** Returns the selected values when the form is sent, which can be before they are loaded. After a failed load there are none. */
export async function valuesToSend(
  queryClient: QueryClient,
  businessId: string,
  { items, isLoading }: BlockValues,
  toggled: readonly string[],
): Promise<AlsoSuppress> {
  const loaded = isLoading ? (await queryClient.fetchQuery(valuesQuery(businessId))).items : items
  return chosenValues(loaded, toggled)
}
