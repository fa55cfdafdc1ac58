import fc from 'fast-check'

/** Highest record index in a step. A lower index selects one of the active records; this index selects a record of any status. */
export const ONES = 5

/** One operation of the suppression model on its few records, addresses and entries. */
export type Step =
  | { do: 'create'; address: number }
  | { do: 'edit'; record: number; address: number | null }
  | { do: 'evidence'; record: number; address: number }
  | { do: 'suppress'; entry: number }
  | { do: 'block'; record: number }
  | { do: 'merge'; record: number; into: number }
  | { do: 'reverse'; nth: number }
  | { do: 'erase'; record: number; suppress: boolean }
  | { do: 'move'; record: number }
  | { do: 'export'; mark: boolean }
  | { do: 'fetch'; nth: number }
  | { do: 'try to lift'; record: number; role: number }
  | { do: 'remove'; nth: number }
  | { do: 'lift'; record: number }

const nat = (max: number) => fc.nat({ max })
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), address: nat(3) }) },
  fc.record({ do: fc.constant('edit' as const), record: nat(ONES), address: fc.option(nat(3)) }),
  fc.record({ do: fc.constant('evidence' as const), record: nat(ONES), address: nat(3) }),
  fc.record({ do: fc.constant('suppress' as const), entry: nat(2) }),
  fc.record({ do: fc.constant('block' as const), record: nat(ONES) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), record: nat(ONES), into: nat(ONES) }) },
  fc.record({ do: fc.constant('reverse' as const), nth: nat(1) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('erase' as const), record: nat(ONES), suppress: fc.boolean() }) },
  fc.record({ do: fc.constant('move' as const), record: nat(ONES) }),
  fc.record({ do: fc.constant('export' as const), mark: fc.boolean() }),
  fc.record({ do: fc.constant('fetch' as const), nth: nat(2) }),
  fc.record({ do: fc.constant('try to lift' as const), record: nat(ONES), role: nat(2) }),
  fc.record({ do: fc.constant('remove' as const), nth: nat(2) }),
  fc.record({ do: fc.constant('lift' as const), record: nat(ONES) }),
)

export const FIRST_STEPS: Step[] = [0, 1, 3].map((address) => ({ do: 'create', address }))
/**
 * Fixed steps that precede the random ones. They contain each kind of step at least once. Each of them has an effect, and their order reveals state
 * that an operation fails to update.
 */
export const STORY: Step[] = [
  { do: 'suppress', entry: 0 },
  { do: 'merge', record: 0, into: 2 },
  { do: 'reverse', nth: 0 },
  { do: 'export', mark: true },
  { do: 'block', record: 1 },
  { do: 'edit', record: 1, address: null },
  { do: 'evidence', record: 2, address: 3 },
  { do: 'erase', record: 0, suppress: false },
  { do: 'create', address: 1 },
  { do: 'try to lift', record: 2, role: 2 },
  { do: 'create', address: 2 },
  { do: 'export', mark: false },
  { do: 'block', record: 3 },
  { do: 'fetch', nth: 0 },
  { do: 'edit', record: 3, address: null },
  { do: 'create', address: 2 },
  { do: 'erase', record: 1, suppress: false },
  { do: 'create', address: 3 },
  { do: 'move', record: 2 },
  { do: 'remove', nth: 0 },
  { do: 'lift', record: 0 },
]
/** Steps that separate an unblocked record from a blocked one while another record has the unblocked record's email address in another spelling. */
export const GIVEN_BACK: Step[] = [
  { do: 'block', record: 2 },
  { do: 'merge', record: 0, into: 2 },
  { do: 'reverse', nth: 0 },
]
