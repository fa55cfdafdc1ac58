import { ADDRESS_POLICY_VERSION } from '@prospect/adapter-contract/addresses'

export { ADDRESS_POLICY_VERSION }

/** Incremented whenever the rules read or classify the same page differently. */
export const SCANNER_VERSION = 1
