import { ADDRESS_POLICY_VERSION } from '@prospect/adapter-contract/addresses'

export { ADDRESS_POLICY_VERSION }

/** Incremented whenever the rules read or classify the same page differently. */
export const SCANNER_VERSION = 4
/** Scanners below this version lost the text of a page after its first script, style, template or noscript element. */
export const WHOLE_TEXT_SINCE = 2
/** Scanners below this version stated missing facts although the page could show text that they did not read, or spelled the fact differently. */
export const MISSING_FACTS_SINCE = 4
