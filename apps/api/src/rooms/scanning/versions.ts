import { ADDRESS_POLICY_VERSION } from '@prospect/adapter-contract/addresses'

export { ADDRESS_POLICY_VERSION }

/** Rises whenever the same page is read or classified differently. */
export const SCANNER_VERSION = 1
