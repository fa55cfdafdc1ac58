import { keysOf } from '../../../lib/keys-of.ts'
import { type IdentifierKind, identityOf, saysNone } from '../../normalization/normalization.ts'
import type { CreateBusiness, EditBusiness, TypedValue } from '../businesses.schema.ts'
import type { BusinessIdentifierTable } from '../businesses.table.ts'
import { severalIn } from './values-in-field.ts'

/* Pure rules for the hints that a form shows at typed contact values, except those about duplicates and readability. */

const kindOfList = { emails: 'email', phones: 'phone', domains: 'domain' } as const
const lists = keysOf(kindOfList)

/** Returns the input without contact values that say that there is none, such as `n/a`. */
export function withoutNone<Input extends CreateBusiness | EditBusiness>(input: Input): Input {
  const kept = lists.flatMap((list) => {
    const values = input[list]
    return values === undefined ? [] : [[list, values.filter(({ value }) => !saysNone(value))] as const]
  })
  return { ...input, ...Object.fromEntries(kept) }
}

/** Returns the contact values that `withoutNone` leaves out, as the answer names them. */
export function leftEmptyIn(input: CreateBusiness | EditBusiness): {
  leftEmpty?: { kind: IdentifierKind; value: string }[]
} {
  const leftEmpty = lists.flatMap((list) =>
    (input[list] ?? []).flatMap(({ value }) => (saysNone(value) ? [{ kind: kindOfList[list], value }] : [])),
  )
  return leftEmpty.length === 0 ? {} : { leftEmpty }
}

type Typed = Pick<BusinessIdentifierTable, 'kind' | 'original' | 'region' | 'normalized'>

/** Returns what can be said about each value: whether it repeats an earlier one of its kind, says that there is none, or holds several values. */
export function readTypedValues(values: readonly Typed[]): TypedValue[] {
  return values.map(({ kind, original: value, region, normalized }, index) => {
    const earlier = values
      .slice(0, index)
      .find((one) => one.kind === kind && isSame(one, { kind, original: value, region, normalized }))
    const saysNothing = saysNone(value)
    return {
      kind,
      value,
      sameAs: saysNothing ? null : (earlier?.original ?? null),
      leftEmpty: saysNothing,
      parts: severalIn(kind, value, region),
    }
  })
}

/** Two pages at a shared host, such as `facebook.com/a` and `facebook.com/b`, have one normalized form and are two values. */
function isSame(one: Typed, other: Typed): boolean {
  const identity = identityIn(one)
  return identity === null ? one.original.trim() === other.original.trim() : identity === identityIn(other)
}

function identityIn({ kind, original, normalized }: Typed): string | null {
  return normalized === null ? null : identityOf(kind, original, normalized)
}
