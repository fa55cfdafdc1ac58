/* Bounds of assistance, shown in `docs/limits.md`. Those of a prompt and an answer belong to the adapter contract. */

export const EVIDENCE_ITEMS = 40
export const POLICY_APPROVAL_DAYS = 365
export const PROPOSAL_DAYS = 7
export const APPROVAL_DAYS = 30
export const REASON_LENGTH = 1_000
/** The output cap of every request, reserved in full. */
export const OUTPUT_TOKENS = 2_048
/** A started call is lost after this: no call lasts longer, settlement included. */
export const CALL_LEASE_MS = 180_000

/** The largest budgets of a policy, and the largest corrections. */
export const BUDGET_LIMITS = { calls: 100_000, tokens: 1_000_000_000, cost: 1_000_000_000 } as const

/**
 * Maximum length of an examined text of an observation in characters, after NFKC, which can make a text 18 times longer. A longer text is
 * withheld.
 */
export const EXAMINED_CHARACTERS = 10_000
/** Maximum number of different contact values in one observation. One with more is withheld, because the gate would be asked about each. */
export const CONTACTS_OF_ITEM = 50
/** Time for the examination of one selection or one answer, in its thread. */
export const EXAMINATION_MS = 5_000
/** Memory of the thread that examines texts. */
export const EXAMINATION_THREAD_MB = 128
/** Maximum number of selections, and of answers, that wait for their examination. */
export const EXAMINATIONS_WAITING = 64

/** Raised whenever the same evidence may be redacted or withheld differently. */
export const REDACTION_VERSION = 2
/** Raised whenever the same evidence may give other bytes. */
export const PROMPT_VERSION = 1
